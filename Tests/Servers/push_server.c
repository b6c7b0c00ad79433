// A push service for benchmarks and fault tests: HTTP/2 over TLS on nghttp2, one thread, nothing to spare.
//
// It answers each request with 200, an empty body and the apns-id it got, once the request is complete; the faults
// below happen where the command line asks for them. Requests are counted for each connection, from 1.
//
//   push_server --cert FILE --key FILE
//     --port N              listen on 127.0.0.1:N (default: any free port, which the line "listening PORT" tells)
//     --log FILE            append the path of each request that was processed, refused ones not
//     --streams N           SETTINGS_MAX_CONCURRENT_STREAMS (default 1000)
//     --first-streams N     that limit until the connection's first answer, as APNs does before a valid token
//     --goaway-every N      at the Nth request: GOAWAY with this request as the last, then close when all are answered
//     --goaway-behind K     with it: the last K requests before it are left out and not processed
//     --refuse-every N      refuse the Nth with REFUSED_STREAM
//     --reset-every N       process the Nth, but answer it with RST_STREAM(INTERNAL_ERROR)
//     --silent-every N      process the Nth, but never answer
//     --cut-every N         process the Nth, then cut the TCP connection with everything unanswered
//     --abort-every N       the same, but with a TCP reset
//     --faulty-connections N  only the first N connections have faults
//     --delay MS            answer so much later
//     --response-bytes N    a body of N bytes
//     --limit-resets        keep nghttp2's limit on RST_STREAM frames, which libcurl 7.88 runs into
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <netinet/tcp.h>
#include <nghttp2/nghttp2.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// A frame is at most 16 kB, which no client raises here, and nine bytes.
enum { frame_size = 16384 + 9, outbox_size = 2 * frame_size, path_size = 512, id_size = 64 };

static struct {
  const char *cert, *key;
  FILE *log;
  int port, streams, first_streams, goaway_every, goaway_behind, refuse_every, reset_every, silent_every, cut_every,
      abort_every, faulty_connections, delay, response_bytes;
  bool limit_resets;
} options = {.streams = 1000, .faulty_connections = -1};

typedef struct connection connection;

typedef struct request {
  struct request *next;  // in the queue of complete requests, then in that of delayed answers
  connection *owner;     // NULL once the connection is gone
  int32_t stream;
  long long due;
  size_t body_left;
  bool is_closed, is_queued;
  char path[path_size], id[id_size];
} request;

struct connection {
  int socket;
  SSL *tls;
  nghttp2_session *session;
  bool has_handshake, has_faults, has_answered, must_cut, must_abort, wants_write, is_closing;
  long requests;
  int32_t last_answered;
  int delayed;
  request *complete_first, **complete_end;
  size_t out_start, out_end;
  uint8_t out[outbox_size];
};

static bool flush(connection *c);

static int epoll;
static request *delayed_first, **delayed_end = &delayed_first;

static void die(const char *what) {
  perror(what);
  exit(1);
}

static long long now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

static bool falls_on(const connection *c, int every) {
  return every > 0 && c->has_faults && c->requests % every == 0;
}

// ---- answers

static ssize_t read_body(nghttp2_session *session, int32_t stream, uint8_t *to, size_t length, uint32_t *flags,
                         nghttp2_data_source *source, void *context) {
  (void)session, (void)stream, (void)context;
  request *r = source->ptr;
  size_t count = r->body_left < length ? r->body_left : length;
  memset(to, 'x', count);
  r->body_left -= count;
  if (r->body_left == 0) *flags |= NGHTTP2_DATA_FLAG_EOF;
  return (ssize_t)count;
}

static nghttp2_nv field(const char *name, const char *value) {
  nghttp2_nv nv = {(uint8_t *)name, (uint8_t *)value, strlen(name), strlen(value), NGHTTP2_NV_FLAG_NONE};
  return nv;
}

static void answer(connection *c, request *r) {
  nghttp2_nv fields[] = {field(":status", "200"), field("apns-id", r->id)};
  r->body_left = (size_t)options.response_bytes;
  nghttp2_data_provider body = {{.ptr = r}, read_body};
  nghttp2_submit_response(c->session, r->stream, fields, r->id[0] ? 2 : 1, options.response_bytes ? &body : NULL);
  if (!c->has_answered && options.first_streams) {
    nghttp2_settings_entry limit = {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, (uint32_t)options.streams};
    nghttp2_submit_settings(c->session, NGHTTP2_FLAG_NONE, &limit, 1);
  }
  c->has_answered = true;
  if (r->stream > c->last_answered) c->last_answered = r->stream;
}

static void record(const request *r) {
  if (!options.log) return;
  fprintf(options.log, "%s\n", r->path);
  fflush(options.log);
}

static void answer_later(connection *c, request *r) {
  r->due = now_ms() + options.delay;
  r->is_queued = true;
  r->next = NULL;
  *delayed_end = r;
  delayed_end = &r->next;
  c->delayed++;
}

// Does what the options say with a complete request.
static void serve(connection *c, request *r) {
  c->requests++;
  if (falls_on(c, options.refuse_every)) {
    nghttp2_submit_rst_stream(c->session, NGHTTP2_FLAG_NONE, r->stream, NGHTTP2_REFUSED_STREAM);
    return;
  }
  if (falls_on(c, options.goaway_every)) {
    int32_t stream = r->stream, last = stream - 2 * options.goaway_behind;
    if (last < c->last_answered) last = c->last_answered;
    nghttp2_submit_goaway(c->session, NGHTTP2_FLAG_NONE, last, NGHTTP2_NO_ERROR, NULL, 0);
    flush(c);  // which closes the streams above the last, and frees their requests
    if (stream > last) return;
  }
  // Where requests may be left out, they count as processed when they are answered.
  if (!options.goaway_behind) record(r);
  if (falls_on(c, options.reset_every)) {
    nghttp2_submit_rst_stream(c->session, NGHTTP2_FLAG_NONE, r->stream, NGHTTP2_INTERNAL_ERROR);
    return;
  }
  if (falls_on(c, options.silent_every)) return;
  if (falls_on(c, options.cut_every)) c->must_cut = true;
  if (falls_on(c, options.abort_every)) c->must_cut = c->must_abort = true;
  if (c->must_cut) return;
  if (options.delay) answer_later(c, r);
  else answer(c, r);
}

// ---- nghttp2

static int on_begin_headers(nghttp2_session *session, const nghttp2_frame *frame, void *context) {
  request *r = calloc(1, sizeof *r);
  r->owner = context;
  r->stream = frame->hd.stream_id;
  return nghttp2_session_set_stream_user_data(session, frame->hd.stream_id, r);
}

static void copy(char *to, size_t size, const uint8_t *from, size_t length) {
  if (length >= size) length = size - 1;
  memcpy(to, from, length);
  to[length] = 0;
}

static int on_header(nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name, size_t name_length,
                     const uint8_t *value, size_t value_length, uint8_t flags, void *context) {
  (void)flags, (void)context;
  request *r = nghttp2_session_get_stream_user_data(session, frame->hd.stream_id);
  if (!r) return 0;
  if (name_length == 5 && !memcmp(name, ":path", 5)) copy(r->path, path_size, value, value_length);
  if (name_length == 7 && !memcmp(name, "apns-id", 7)) copy(r->id, id_size, value, value_length);
  return 0;
}

static int on_frame(nghttp2_session *session, const nghttp2_frame *frame, void *context) {
  if (frame->hd.type != NGHTTP2_HEADERS && frame->hd.type != NGHTTP2_DATA) return 0;
  if (!(frame->hd.flags & NGHTTP2_FLAG_END_STREAM)) return 0;
  request *r = nghttp2_session_get_stream_user_data(session, frame->hd.stream_id);
  connection *c = context;
  if (!r) return 0;
  r->is_queued = true;
  r->next = NULL;
  *c->complete_end = r;
  c->complete_end = &r->next;
  return 0;
}

static int on_stream_close(nghttp2_session *session, int32_t stream, uint32_t code, void *context) {
  (void)code, (void)context;
  request *r = nghttp2_session_get_stream_user_data(session, stream);
  if (!r) return 0;
  nghttp2_session_set_stream_user_data(session, stream, NULL);
  r->is_closed = true;
  if (!r->is_queued) free(r);
  return 0;
}

static nghttp2_session *new_session(connection *c) {
  static nghttp2_session_callbacks *callbacks;
  static nghttp2_option *option;
  if (!callbacks) {
    nghttp2_session_callbacks_new(&callbacks);
    nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, on_begin_headers);
    nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_stream_close);
    nghttp2_option_new(&option);
    if (!options.limit_resets) nghttp2_option_set_stream_reset_rate_limit(option, UINT64_MAX / 2, UINT64_MAX / 2);
  }
  nghttp2_session *session;
  nghttp2_session_server_new2(&session, callbacks, c, option);
  int streams = options.first_streams ? options.first_streams : options.streams;
  nghttp2_settings_entry settings[] = {{NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, (uint32_t)streams},
                                       {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 1 << 20}};
  nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, settings, 2);
  nghttp2_session_set_local_window_size(session, NGHTTP2_FLAG_NONE, 0, 1 << 28);
  return session;
}

// ---- connections

static void drop(connection *c) {
  for (request *r = delayed_first; r; r = r->next) {
    if (r->owner == c) r->owner = NULL;
  }
  if (c->must_abort) {
    struct linger linger = {1, 0};
    setsockopt(c->socket, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
  }
  while (c->complete_first) {
    request *r = c->complete_first;
    c->complete_first = r->next;
    r->is_queued = false;
    if (r->is_closed) free(r);
  }
  if (c->session) nghttp2_session_del(c->session);
  SSL_free(c->tls);
  close(c->socket);
  free(c);
}

static void watch_writing(connection *c, bool wanted) {
  if (c->wants_write == wanted) return;
  c->wants_write = wanted;
  struct epoll_event event = {.events = EPOLLIN | (wanted ? EPOLLOUT : 0), .data.ptr = c};
  epoll_ctl(epoll, EPOLL_CTL_MOD, c->socket, &event);
}

// Packs the frames of many streams into few records. False when the connection is done for.
static bool flush(connection *c) {
  while (true) {
    if (c->out_start == c->out_end) {
      c->out_start = c->out_end = 0;
      while (outbox_size - c->out_end >= frame_size) {
        const uint8_t *data;
        ssize_t count = nghttp2_session_mem_send(c->session, &data);
        if (count < 0) return false;
        if (count == 0) break;
        memcpy(c->out + c->out_end, data, (size_t)count);
        c->out_end += (size_t)count;
      }
      if (c->out_end == 0) break;
    }
    int written = SSL_write(c->tls, c->out + c->out_start, (int)(c->out_end - c->out_start));
    if (written <= 0) {
      if (SSL_get_error(c->tls, written) != SSL_ERROR_WANT_WRITE) return false;
      watch_writing(c, true);
      return true;
    }
    c->out_start += (size_t)written;
  }
  watch_writing(c, false);
  return nghttp2_session_want_read(c->session) || nghttp2_session_want_write(c->session) || c->delayed > 0;
}

// Serves the requests that are complete. What nghttp2 has to say goes out before, because its GOAWAY leaves streams out,
// which then do not count as processed.
static bool serve_complete(connection *c) {
  if (!flush(c)) return false;
  while (c->complete_first && !c->must_cut) {
    request *r = c->complete_first;
    c->complete_first = r->next;
    if (!c->complete_first) c->complete_end = &c->complete_first;
    r->is_queued = false;
    if (r->is_closed) free(r);
    else serve(c, r);
  }
  return !c->must_cut && flush(c);
}

static bool receive(connection *c) {
  uint8_t buffer[16384];
  while (true) {
    int count = SSL_read(c->tls, buffer, sizeof buffer);
    if (count <= 0) return SSL_get_error(c->tls, count) == SSL_ERROR_WANT_READ;
    if (nghttp2_session_mem_recv(c->session, buffer, (size_t)count) < 0) return false;
  }
}

// Ends a connection in order: what the client still sends is read, or its kernel would throw away our last words.
static void finish(connection *c) {
  if (c->must_cut || !c->has_handshake) {
    drop(c);
    return;
  }
  SSL_shutdown(c->tls);
  shutdown(c->socket, SHUT_WR);
  c->is_closing = true;
}

static void proceed(connection *c) {
  ERR_clear_error();  // or SSL_get_error would tell of another connection's end
  if (c->is_closing) {
    char buffer[16384];
    ssize_t count;
    while ((count = read(c->socket, buffer, sizeof buffer)) > 0) {}
    if (count == 0 || errno != EAGAIN) drop(c);
    return;
  }
  if (!c->has_handshake) {
    int done = SSL_accept(c->tls);
    if (done <= 0) {
      int reason = SSL_get_error(c->tls, done);
      if (reason != SSL_ERROR_WANT_READ && reason != SSL_ERROR_WANT_WRITE) drop(c);
      return;
    }
    c->has_handshake = true;
    c->session = new_session(c);
  }
  if (!receive(c)) drop(c);
  else if (!serve_complete(c)) finish(c);
}

static void accept_all(int listener, SSL_CTX *tls) {
  static int connections;
  int socket;
  while ((socket = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
    int on = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    connection *c = calloc(1, sizeof *c);
    c->socket = socket;
    c->complete_end = &c->complete_first;
    c->tls = SSL_new(tls);
    c->has_faults = options.faulty_connections < 0 || connections < options.faulty_connections;
    connections++;
    SSL_set_fd(c->tls, socket);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
    epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event);
  }
}

// Answers what is due; returns the milliseconds until the next, -1 for none.
static int answer_delayed(void) {
  long long now = now_ms();
  ERR_clear_error();
  while (delayed_first && delayed_first->due <= now) {
    request *r = delayed_first;
    delayed_first = r->next;
    if (!delayed_first) delayed_end = &delayed_first;
    r->is_queued = false;
    connection *c = r->owner;
    if (c) c->delayed--;
    if (!c || r->is_closed) {
      free(r);
      if (c && !c->is_closing && !flush(c)) finish(c);
      continue;
    }
    if (options.goaway_behind) record(r);
    answer(c, r);
    if (!flush(c)) finish(c);
  }
  return delayed_first ? (int)(delayed_first->due - now) : -1;
}

// ---- start

static int choose_h2(SSL *tls, const unsigned char **out, unsigned char *out_length, const unsigned char *in,
                     unsigned int in_length, void *context) {
  (void)tls, (void)context;
  return nghttp2_select_next_protocol((unsigned char **)out, out_length, in, in_length) == 1 ? SSL_TLSEXT_ERR_OK
                                                                                            : SSL_TLSEXT_ERR_ALERT_FATAL;
}

static SSL_CTX *new_tls(void) {
  SSL_CTX *tls = SSL_CTX_new(TLS_server_method());
  if (SSL_CTX_use_certificate_chain_file(tls, options.cert) != 1 ||
      SSL_CTX_use_PrivateKey_file(tls, options.key, SSL_FILETYPE_PEM) != 1) {
    fprintf(stderr, "push_server: cannot use the certificate %s with the key %s\n", options.cert, options.key);
    exit(1);
  }
  SSL_CTX_set_min_proto_version(tls, TLS1_2_VERSION);
  SSL_CTX_set_mode(tls, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_alpn_select_cb(tls, choose_h2, NULL);
  return tls;
}

static int listen_on_loopback(void) {
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)options.port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  if (bind(listener, (struct sockaddr *)&address, length) || listen(listener, 512)) die("push_server: listen");
  getsockname(listener, (struct sockaddr *)&address, &length);
  printf("listening %d\n", ntohs(address.sin_port));
  fflush(stdout);
  return listener;
}

static void read_options(int count, char **words) {
  struct { const char *name; int *number; } numbers[] = {
      {"port", &options.port}, {"streams", &options.streams}, {"first-streams", &options.first_streams},
      {"goaway-every", &options.goaway_every}, {"goaway-behind", &options.goaway_behind},
      {"refuse-every", &options.refuse_every}, {"reset-every", &options.reset_every},
      {"silent-every", &options.silent_every}, {"cut-every", &options.cut_every},
      {"abort-every", &options.abort_every}, {"faulty-connections", &options.faulty_connections},
      {"delay", &options.delay}, {"response-bytes", &options.response_bytes}};
  for (int i = 1; i < count; i++) {
    const char *name = words[i] + (strncmp(words[i], "--", 2) ? 0 : 2);
    if (!strcmp(name, "limit-resets")) {
      options.limit_resets = true;
      continue;
    }
    const char *value = ++i < count ? words[i] : NULL;
    bool known = false;
    for (size_t n = 0; value && n < sizeof numbers / sizeof *numbers; n++) {
      if (strcmp(name, numbers[n].name)) continue;
      *numbers[n].number = atoi(value);
      known = true;
    }
    if (value && !strcmp(name, "cert")) options.cert = value, known = true;
    if (value && !strcmp(name, "key")) options.key = value, known = true;
    if (value && !strcmp(name, "log")) {
      if (!(options.log = fopen(value, "a"))) die(value);
      known = true;
    }
    if (!known) {
      fprintf(stderr, "push_server: unknown option or no value: %s (the options stand at the top of the source)\n", name);
      exit(2);
    }
  }
  if (!options.cert || !options.key) {
    fprintf(stderr, "push_server: --cert FILE and --key FILE are needed\n");
    exit(2);
  }
}

int main(int count, char **words) {
  read_options(count, words);
  signal(SIGPIPE, SIG_IGN);
  SSL_CTX *tls = new_tls();
  epoll = epoll_create1(EPOLL_CLOEXEC);
  int listener = listen_on_loopback();
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
  epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);
  while (true) {
    struct epoll_event events[64];
    int ready = epoll_wait(epoll, events, 64, answer_delayed());
    if (ready < 0 && errno != EINTR) die("push_server: epoll_wait");
    for (int i = 0; i < ready; i++) {
      if (events[i].data.ptr) proceed(events[i].data.ptr);
      else accept_all(listener, tls);
    }
  }
}
