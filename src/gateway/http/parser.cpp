#include "gateway/http/parser.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <optional>

namespace toa::gateway::http {
namespace {

namespace beast = boost::beast::http;
using boost::system::error_code;
using Text = boost::beast::string_view;

std::string_view view(Text text) {
  return {text.data(), text.size()};
}

/// Beast takes it for granted that a last chunk is never given to it in part: it is given no less.
constexpr std::size_t shortest_last_chunk = std::string_view("0\r\n\r\n").size();

int status_of(const error_code& ec) {
  if (ec == beast::error::header_limit || ec == beast::error::buffer_overflow) return 431;
  if (ec == beast::error::body_limit) return 413;
  return 400;
}

}  // namespace

class Parser::Core {
 public:
  Core(Request& into, Bounds bounds) { reader.emplace(into, bounds); }

  /// Beast reads the grammar; what it reads more kindly than is safe is refused here.
  class Reader final : public beast::basic_parser<true> {
   public:
    Reader(Request& into, Bounds bounds) : into_(into) {
      eager(true);
      header_limit(static_cast<std::uint32_t>(bounds.head_bytes));
      body_limit(bounds.body_bytes);
    }

    std::size_t feed(std::string_view bytes, error_code& ec) {
      bytes_ = bytes;
      return put(boost::asio::const_buffer(bytes.data(), bytes.size()), ec);
    }

    bool expects = false;
    bool headed = false;
    std::optional<int> refused;

   private:
    void refuse(int status, error_code& ec) {
      refused = status;
      ec = beast::error::bad_field;
    }

    void on_request_impl(beast::verb, Text method, Text target, int version,
                         error_code& ec) override {
      if (version != 11 && version != 10) return refuse(400, ec);
      version_ = version;
      into_.start(view(method), view(target));
    }

    void on_response_impl(int, Text, int, error_code&) override {}

    void on_field_impl(beast::field name, Text text, Text value, error_code& ec) override {
      // What follows a chunked body belongs to nobody.
      if (headed) return;
      const bool folded = value.size() > 0 && (value.data() < bytes_.data() ||
                                               value.data() >= bytes_.data() + bytes_.size());
      if (folded || into_.field_count() >= limits::http_fields_max) return refuse(400, ec);
      const auto only = [&] { return into_.count(view(text)) == 0; };
      switch (name) {
        case beast::field::transfer_encoding:
          if (!same_name(view(value), "chunked")) return refuse(400, ec);
          break;
        case beast::field::content_length:
        case beast::field::host:
          if (!only()) return refuse(400, ec);
          if (name == beast::field::content_length && value.find(',') != Text::npos)
            return refuse(400, ec);
          break;
        case beast::field::expect:
          if (!same_name(view(value), "100-continue")) return refuse(417, ec);
          expects = true;
          break;
        default:
          break;
      }
      into_.add_field(view(text), view(value));
    }

    void on_header_impl(error_code& ec) override {
      headed = true;
      const bool host = into_.count("host") == 1;
      if (version_ == 11 && !host) return refuse(400, ec);
      if (version_ == 10 && chunked()) return refuse(400, ec);
      into_.keep_alive(keep_alive());
    }

    void on_body_init_impl(const boost::optional<std::uint64_t>& length, error_code&) override {
      if (length) {
        // Reserved in full only where it is small: a length is said more easily than sent.
        into_.expect_body(std::min<std::size_t>(*length, limits::http_buffer_kept_bytes_max));
      }
    }

    std::size_t on_body_impl(Text part, error_code&) override {
      into_.add_body(view(part));
      return part.size();
    }

    void on_chunk_header_impl(std::uint64_t, Text, error_code&) override {}

    std::size_t on_chunk_body_impl(std::uint64_t, Text part, error_code&) override {
      into_.add_body(view(part));
      return part.size();
    }

    void on_finish_impl(error_code&) override {}

    Request& into_;
    std::string_view bytes_;
    int version_ = 0;
  };

  std::optional<Reader> reader;
  std::optional<int> failed;
};

Parser::Parser(Request& into, Bounds bounds)
    : into_(into), bounds_(bounds), core_(std::make_unique<Core>(into, bounds)) {}

Parser::~Parser() = default;

std::size_t Parser::take(std::string_view bytes) {
  if (bytes.empty() || core_->failed || core_->reader->is_done()) return 0;
  const bool in_chunks = core_->reader->headed && core_->reader->chunked();
  if (in_chunks && bytes.size() < shortest_last_chunk) return 0;
  error_code ec;
  const auto taken = core_->reader->feed(bytes, ec);
  if (ec && ec != beast::error::need_more)
    core_->failed = core_->reader->refused.value_or(status_of(ec));
  return taken;
}

Parser::State Parser::state() const {
  if (core_->failed) return State::failed;
  if (core_->reader->is_done()) return State::complete;
  return core_->reader->headed ? State::body : State::head;
}

int Parser::status() const {
  return core_->failed.value_or(200);
}

bool Parser::waits_for_continue() const {
  return core_->reader->expects && state() == State::body;
}

void Parser::restart() {
  core_->failed.reset();
  core_->reader.emplace(into_, bounds_);
}

}  // namespace toa::gateway::http
