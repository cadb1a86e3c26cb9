#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

/// Every bound of the runtime, with its unit and the reason for its size.
namespace toa::limits {

using std::chrono::milliseconds;

// A document that a person would still call one object; also what a worker gets through without a
// pause.
inline constexpr std::size_t document_bytes_max = 16u << 20;
// Deeper nesting is an attack or a cycle; parsers and validators recurse, so this bounds the stack.
inline constexpr std::size_t document_depth_max = 100;
// Of what the runtime makes of documents: a list of states, a state within a part of a stream.
inline constexpr std::size_t composed_depth_max = document_depth_max + 8;
// A frame holds many documents; one document of the largest size must fit.
inline constexpr std::size_t bridge_frame_bytes_max = 64u << 20;
// Manifests are written by hand; more is a mistake, or YAML that expands.
inline constexpr std::size_t manifest_bytes_max = 4u << 20;
// Values of one YAML text and the bytes of its texts, once its aliases are followed: an alias
// repeats what it names.
inline constexpr std::size_t yaml_values_max = 200'000;
inline constexpr std::size_t yaml_expanded_bytes_max = 16u << 20;
// Prototypes above one another; more is a chain that nobody can follow.
inline constexpr std::size_t prototypes_max = 16;

// A regular expression beyond this is generated, or an attack on its compiler.
inline constexpr std::size_t pattern_bytes_max = 4u << 10;
// Characters that a pattern may look at: so many for each of the text (one pass is one), and so
// many for a short one. A pattern that backtracks beyond that is cut off after some 10 ms.
inline constexpr std::size_t pattern_looks_per_character = 16;
inline constexpr std::size_t pattern_looks_base = 500'000;
// Schemas that apply to one value through `$ref`, `allOf` and their like, one within another: with
// the depth of documents this bounds the stack of a check.
inline constexpr std::size_t schema_chain_max = 32;
// Pairs of schema and value in one check: the largest document against a plain schema fits;
// branches that double do not.
inline constexpr std::size_t contract_steps_max = 10'000'000;

// Invocations at once; beyond it origins are refused as overloaded, calls beneath a running one are
// not.
inline constexpr std::size_t invocations_max = 10'000;
// Runs sent to one worker and not finished; the rest waits here, where it can go to another worker.
inline constexpr std::size_t runs_per_worker_max = 1'024;
// Frames of runs that a worker has not finished starting: one that it is at, and one to go on with.
// What queues up meanwhile makes the next larger.
inline constexpr std::size_t worker_frames_max = 2;
// Frames of coroutines that a thread keeps to use them again, in bytes: what 500 requests hold at
// once.
inline constexpr std::size_t coroutine_frames_kept_bytes_max = 16u << 20;
// Larger ones are rare, and go back at once.
inline constexpr std::size_t coroutine_frame_kept_bytes_max = 8u << 10;

// Units in one storage transaction: past this the gain of sharing an fsync is gone and the wait
// shows.
inline constexpr std::size_t commit_units_max = 1'024;
inline constexpr std::size_t commit_bytes_max = 8u << 20;
// Rows of expired calls removed with one commit: more than a full one brings, so that pruning keeps
// up.
inline constexpr std::size_t inbox_prune_rows_max = 1'500;
// Remembered calls of one slice: its set, 16 bytes a place, is then 16 MB, and what is in one
// closes and is dropped together.
inline constexpr std::uint32_t inbox_slice_rows_max = 800'000;
// Rows of a closed slice's index that are written with one commit: more than a full one remembers.
inline constexpr std::size_t inbox_index_rows_max = 1'500;
// So many remembered calls are worth a word: their file is larger than a gigabyte.
inline constexpr std::size_t inbox_calls_told = 10'000'000;
// What stands in memory for the calls of closed slices, 12 bits a call: for 40 million. Of those
// before, the file is asked.
inline constexpr std::size_t inbox_filter_bytes_max = 64u << 20;
// Carried records that are known in memory; where there are more, the file is asked of each call.
inline constexpr std::size_t inbox_carried_known_max = 200'000;
// Records looked at together for messages that keep them, before their slice is dropped.
inline constexpr std::int64_t inbox_scan_rows = 5'000;
// Statements kept for slices, by a connection that reads.
inline constexpr std::size_t inbox_statements_max = 64;

// Objects served from memory, by the size of their text.
inline constexpr std::size_t object_cache_bytes_max = 16u << 20;
// Pages of 4 KB in SQLite's log before it is copied back: rarer is cheaper, and 32 MB are recovered
// in a moment.
inline constexpr int storage_log_pages_max = 8'000;
// SQLite's own page caches, in bytes: an update reads the page that it changes.
inline constexpr std::size_t storage_writer_cache_bytes_max = 32u << 20;
inline constexpr std::size_t storage_reader_cache_bytes_max = 8u << 20;
// How long a commit waits where another program (an operator's shell) holds the file's lock.
inline constexpr milliseconds storage_lock_wait_max{2'000};
// The time by which calls expire is written down when it has grown by this; finer would cost a page
// a commit.
inline constexpr milliseconds storage_time_step{1'000};

// Objects that one query answers with, in bytes of their text: it goes to a worker in one frame.
inline constexpr std::size_t find_bytes_max = 32u << 20;
// A query that takes longer reads all objects where an index is missing, and keeps others waiting.
inline constexpr milliseconds find_time_max{30'000};
// Objects that a migration reads at once, as they are changed one page after the other.
inline constexpr int migration_page_rows = 500;
inline constexpr std::size_t migration_page_bytes_max = 8u << 20;
// Seconds of a ttl index: what MongoDB takes.
inline constexpr std::int64_t ttl_max_s = 2'147'483'647;
// How often objects whose time has come are removed, as MongoDB does; removed at once: few enough
// that a commit hardly waits.
inline constexpr milliseconds expiry_interval{60'000};
inline constexpr std::int64_t expiry_rows_max = 500;
// Lists within lists that a condition leads through; the SQL doubles with each.
inline constexpr std::size_t criteria_lists_max = 4;
// Statements kept for queries: an application has some dozens of shapes of query.
inline constexpr std::size_t find_statements_max = 128;
// An unmanaged operation's SQL, in bytes and in time: other queries wait behind it.
inline constexpr std::size_t unmanaged_sql_bytes_max = 64u << 10;
inline constexpr milliseconds unmanaged_time_max{10'000};
// Rows that an unmanaged operation gets from one query; what it cannot use it should not read.
inline constexpr std::size_t unmanaged_rows_max = 100'000;
// A wall clock further ahead than this has jumped: no clock that is kept right is set by so much.
inline constexpr milliseconds clock_jump_max{60'000};

// Of the outbox or the queue, read at once.
inline constexpr std::size_t queue_page_bytes_max = 8u << 20;
// How far ahead of the numbers given to messages the file's own count is written.
inline constexpr std::int64_t queue_number_stride = 10'000;
// Records in hand whose messages are being made, and of one component, so that its flood leaves
// room for others; what comes beyond waits on the disk.
inline constexpr std::size_t outbox_in_hand_max = 2'048;
inline constexpr std::size_t outbox_in_hand_of_one_max = 1'024;
// The same in bytes: a record holds an object twice.
inline constexpr std::size_t outbox_in_hand_bytes_max = 16u << 20;
// A record whose events ended their workers is tried again after a pause that doubles from the
// interval to this: each try costs others their workers.
inline constexpr milliseconds outbox_guilty_pause_max{600'000};
// So many of them are known; those beyond are tried every interval.
inline constexpr std::size_t outbox_guilty_max = 10'000;
// Records whose events are evaluated at once.
inline constexpr std::size_t outbox_publishing_max = 512;
// Fewer records of a backlog than this wait in hand: more are read.
inline constexpr std::size_t outbox_low = 256;
// Messages of one component in hand, waiting or in work; the rest of a backlog waits on the disk.
inline constexpr std::size_t lane_in_hand_max = 1'024;
// The same in bytes; a single message may be larger.
inline constexpr std::size_t lane_in_hand_bytes_max = 8u << 20;
// Messages of a backlog that are read at once.
inline constexpr std::size_t lane_page_max = 512;
// Messages of one component in work at once, so that none starves another.
inline constexpr std::size_t lane_working_max = 256;
// A lane with fewer messages ready than this reads more, if there are more: a page then fits.
inline constexpr std::size_t lane_low = 256;
// A lane whose next message is due later than this looks at the clock meanwhile: it may be set.
inline constexpr milliseconds lane_look_max{30'000};
// Pauses, doubling, between attempts to store what became of a message: a full disk is freed and a
// shell closed within minutes, and the message waits in hand.
inline constexpr milliseconds settle_pause_first{1'000};
inline constexpr milliseconds settle_pause_max{30'000};
// A lone `toa call` gives up after a pause of this: somebody waits for it to end.
inline constexpr milliseconds settle_pause_own_max{4'000};
// Parked messages that are read at once.
inline constexpr std::size_t parked_page_max = 256;
// Parked messages in one answer of what would come of them: each runs its receiver.
inline constexpr std::size_t parked_plan_max = 64;
// Objects that are shown of those that a parked message selects.
inline constexpr std::int64_t parked_state_max = 16;
// What `toa parked` names where an id means several messages.
inline constexpr std::size_t parked_choices_max = 8;
// Levels that an answer about parked messages puts around what they carry.
inline constexpr std::size_t parked_answer_depth = 6;

// The attempts of a retrying transition and the pauses between them (full jitter, doubling).
inline constexpr int retry_attempts_max = 32;
inline constexpr milliseconds retry_pause_first{1};
inline constexpr milliseconds retry_pause_max{1'000};
// A run that lost this many races holds its object, for at most that long.
inline constexpr int races_lost_before_hold = 3;
inline constexpr milliseconds hold_max{1'000};
// A turn on an object ends after this, counted from the start of the run.
inline constexpr milliseconds turn_max{100};
// An invocation that started from so many states which were taken back starts from durable ones.
inline constexpr int taken_back_max = 3;
// How long a repeat waits for the first of its identity before it runs too.
inline constexpr milliseconds repeat_wait_max{5'000};

// A trail of this many hops is refused, and so is a hop entered this many times (TOA_TRAIL_DEPTH,
// TOA_TRAIL_REPEATS).
inline constexpr int trail_depth_max = 32;
inline constexpr int trail_repeats_max = 3;

// A worker that answers no ping for this long is taken for blocked and replaced.
inline constexpr milliseconds worker_silence_max{10'000};
inline constexpr milliseconds worker_ping_interval{1'000};
// How long a worker may take to load an application.
inline constexpr milliseconds worker_load_max{60'000};
// A promise that never settles is only reported, after this long and then at doubling intervals.
inline constexpr milliseconds run_report_after{30'000};
// A suspected invocation that takes this many workers of its own is guilty.
inline constexpr int worker_deaths_of_the_guilty = 2;
// A suspect is alone in its worker for this long; then, if the worker still answers, it shares it
// with the next suspect, or one that waits for hours would keep all others waiting. Doubles with
// every worker that suspects took together.
inline constexpr milliseconds worker_trial{2'000};
// How long the run commands of one component may take at one stage: `toa start` gives up later, and
// should hear which one it was.
inline constexpr milliseconds run_command_max{240'000};
// What operations share with one another in the program: a cache that forgets the least used, not a
// store.
inline constexpr std::size_t stash_bytes_max = 64u << 20;
inline constexpr std::size_t stash_key_bytes_max = 1'024;
// What one entry costs beside its key and its value.
inline constexpr std::size_t stash_entry_bytes = 128;
// Locks and stash accesses of one worker that are not answered; more is a loop without `await`.
inline constexpr std::size_t worker_asks_max = 20'000;
// When the bridge closes: how long running code may go on, and how long a worker may take to end
// once told.
inline constexpr milliseconds worker_finish_max{5'000};
inline constexpr milliseconds worker_stop_max{5'000};
// How long a worker that closed its socket may take to exit; its exit status tells more than the
// closed socket.
inline constexpr milliseconds worker_exit_max{1'000};
// Replacements that die at once are made after a pause that doubles; one that lived this long
// starts the pauses over.
inline constexpr milliseconds worker_pause_first{50};
inline constexpr milliseconds worker_pause_max{5'000};
inline constexpr milliseconds worker_calm{10'000};
// After so many workers in a row that never served (a component's file was broken after the start,
// say), what waits for one is answered that none can be started; with the pauses, within some
// seconds.
inline constexpr int worker_starts_in_vain_max = 8;
// How long `node --version` may take, asked only to explain a worker that did not start.
inline constexpr milliseconds node_version_max{5'000};
// Output that is still read once its worker has ended; a process that it left behind may write for
// ever.
inline constexpr std::size_t worker_last_output_bytes_max = 256u << 10;
// Output of a worker: longer lines are cut, faster ones dropped and counted.
inline constexpr std::size_t worker_line_bytes_max = 8u << 10;
inline constexpr std::size_t worker_lines_per_second_max = 500;

// The control socket.
inline constexpr std::size_t control_connections_max = 1'024;
// How long the last answers may take to reach their clients when the application ends.
inline constexpr milliseconds control_flush_max{1'000};
// Requests of one connection that are taken before one is answered.
inline constexpr std::size_t control_calls_per_connection_max = 1'024;
inline constexpr std::size_t control_line_bytes_max = 16u << 20;
// Written and not yet read by the client of a streamed reply; then its next part waits.
inline constexpr std::size_t control_stream_bytes_max = 1u << 20;

// HTTP. Headers larger than this are an attack, or cookies, which nothing here reads.
inline constexpr std::size_t http_head_bytes_max = 16u << 10;
inline constexpr std::size_t http_fields_max = 100;
// What a client sends as one input; larger things are files.
inline constexpr std::size_t http_body_bytes_max = 1u << 20;
// Of all requests that are being read, so that many clients cannot take the memory that one may.
inline constexpr std::size_t http_bodies_bytes_max = 64u << 20;
// Reading YAML costs a hundred times as much as JSON, on the thread that serves everybody.
inline constexpr std::size_t http_yaml_bytes_max = 64u << 10;
// A buffer beyond this is given back after its request.
inline constexpr std::size_t http_buffer_kept_bytes_max = 16u << 10;
// Responses to pipelined requests that wait to be written before no more requests are taken.
inline constexpr std::size_t http_responses_bytes_max = 64u << 10;
// Connections whose responses are gathered to be written together at the end of a turn: more would
// only keep the first of them waiting.
inline constexpr std::size_t http_gathered_connections_max = 64;
// Idle clients cost a descriptor and less than a kilobyte.
inline constexpr std::size_t http_connections_max = 12'000;
// From the first byte of a request to the end of its head, and from there to the end of its body.
inline constexpr milliseconds http_head_max{10'000};
inline constexpr milliseconds http_body_max{30'000};
// A connection on which nothing happens, and one whose client does not read its response.
inline constexpr milliseconds http_idle_max{75'000};
inline constexpr milliseconds http_write_max{30'000};
// How long a client that sent what is no request may take to read the answer.
inline constexpr milliseconds http_linger_max{2'000};
// How often these are looked at; a timer of its own for every request would cost more than reading
// it.
inline constexpr milliseconds http_sweep{500};
// The pause after which connections are taken again when the system had no descriptor left.
inline constexpr milliseconds http_accept_pause{100};
// Segments of a path, and how far a path may be forwarded.
inline constexpr std::size_t path_segments_max = 64;
inline constexpr int route_forwards_max = 8;
// What a client makes up as the key of a request (G95).
inline constexpr std::size_t idempotency_key_bytes_max = 255;
// Parameters of a query string or a form.
inline constexpr std::size_t form_pairs_max = 1'000;
// Buckets of one throttle; beyond it the fullest are forgotten, which lets their clients pass.
inline constexpr std::size_t throttle_buckets_max = 100'000;

// Windows of remembered calls, in seconds. Below the minimum a late redelivery would be taken for a
// new call (R22).
inline constexpr std::int64_t inbox_window_min_s = 600;
inline constexpr std::int64_t inbox_window_default_s = 3'600;
inline constexpr std::int64_t inbox_window_max_s = 10LL * 366 * 86'400;

// How often what could not be published is tried again; more often would only wake the process.
inline constexpr std::int64_t outbox_interval_min_ms = 100;
inline constexpr std::int64_t outbox_interval_default_ms = 5'000;
inline constexpr std::int64_t outbox_interval_max_ms = 3'600'000;
// Records read at once; a page is bounded in bytes as well.
inline constexpr std::int64_t outbox_batch_default = 200;
inline constexpr std::int64_t outbox_batch_max = 100'000;
// Published records as history, no longer than calls are remembered.
inline constexpr std::int64_t outbox_retention_max_s = 10LL * 366 * 86'400;

// `toa stop` lets work in progress finish for this long (R275).
inline constexpr milliseconds drain_max{45'000};
// How long `toa call` waits for the data folder before it looks for a control socket again.
inline constexpr milliseconds call_lock_wait{50};
// How long it waits before it says so.
inline constexpr milliseconds call_wait_silent{3'000};
// How long `toa start` waits for a `toa call` of its own, or for an application that is ending, to
// let go of the data folder.
inline constexpr milliseconds start_lock_wait{10'000};
// How long `toa stop` and `toa parked` wait for an application that is still starting to be
// reachable.
inline constexpr milliseconds stop_lock_wait{60'000};
// `toa start` waits this long for readiness.
inline constexpr milliseconds start_max{300'000};

// Criteria of a query. Longer ones are generated; a list of ids fits.
inline constexpr std::size_t criteria_bytes_max = 64u << 10;
// Groups in groups: parser, typing and SQL recurse, so this bounds their stack.
inline constexpr std::size_t criteria_depth_max = 32;
// SQLite takes a thousand levels of expression, and a chain of conditions is one level each.
inline constexpr std::size_t criteria_conditions_max = 256;
// Values in all conditions together; each is a bound value of a statement.
inline constexpr std::size_t criteria_operands_max = 10'000;
// What a query may list: ids, keys of its order, properties to answer with.
inline constexpr std::size_t query_ids_max = 10'000;
inline constexpr std::size_t query_sort_max = 16;
inline constexpr std::size_t query_projection_max = 256;
// A dotted path of criteria, order or projection; documents are no deeper.
inline constexpr std::size_t query_path_steps_max = 100;
// Words to search for.
inline constexpr std::size_t query_search_bytes_max = 4u << 10;

// Rows of an index that are looked at to learn how many share a value: some ten milliseconds of
// the writer. Values that more objects share than this look alike to whoever chooses an index.
inline constexpr int statistics_rows_max = 50'000;
// Objects made before that is learnt anew, and then twice as many each time.
inline constexpr std::int64_t statistics_after_objects = 10'000;

// Objects looked at together for one that an effect's `entity` describes.
inline constexpr std::int64_t ensure_page = 100;

// Objects of a stream read together, and how many bytes of them: what a stream holds in memory.
inline constexpr std::int64_t stream_page = 100;
inline constexpr std::size_t stream_page_bytes = 1u << 20;

// Parts of a stream on each leg of its way: enough to hide the way there and back, few enough to
// hold in memory.
inline constexpr std::size_t stream_parts_max = 16;

/// Characters of a token. One with a thousand roles of the longest kind does not fit; headers are
/// bounded anyway.
inline constexpr std::size_t token_bytes_max = 8u << 10;
// Tokens whose contents are remembered, twice as many at most: some 700 bytes each.
inline constexpr std::size_t tokens_known_max = 4'096;
// A role: segments that a person would still read, and how many of them.
inline constexpr std::size_t role_segment_bytes_max = 32;
inline constexpr std::size_t role_bytes_max = 256;
// Of all roles of one identity, as a token writes them, into which they must fit.
inline constexpr std::size_t roles_bytes_max = 4u << 10;
// What a custom token is limited to must fit as well.
inline constexpr std::size_t permissions_max = 32;
inline constexpr std::size_t permission_glob_bytes_max = 128;
// Custom tokens of one identity that are remembered; the oldest that are of no use go first.
inline constexpr std::size_t custom_tokens_max = 64;
// 128 characters of any script; a password beyond this is an attack on the hash.
inline constexpr std::size_t username_bytes_max = 512;
inline constexpr std::size_t password_bytes_max = 1'024;
// Passwords that wait for a thread, at some 60 ms each; beyond it clients are told to come again.
inline constexpr std::size_t passwords_waiting_max = 64;
// Times that a change of an identity is made again when another change came between.
inline constexpr int identity_attempts_max = 8;
// A username that was taken for an identity which does not have it is free after this: the process
// ended between the two writes.
inline constexpr milliseconds username_claim_max{60'000};
// Addresses whose failures to authenticate are counted.
inline constexpr std::size_t bouncer_addresses_max = 100'000;

}  // namespace toa::limits
