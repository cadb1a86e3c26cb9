#include "runtime/token_key.hpp"

#include "gateway/access/token_key.hpp"

namespace toa::runtime {

Result<std::string> new_token_key() {
  return gateway::new_token_key();
}

}  // namespace toa::runtime
