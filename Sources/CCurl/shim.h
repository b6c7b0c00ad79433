#ifndef CARILLON_CCURL_SHIM_H
#define CARILLON_CCURL_SHIM_H

// curl/typecheck-gcc.h turns the variadic calls below into macros that would warn about our generic value types.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

// Swift cannot call variadic functions, so there is one function for each type of value.

static inline CURLcode carillon_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode carillon_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode carillon_set_string(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode carillon_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode carillon_set_headers(CURL *handle, struct curl_slist *headers) {
  return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
}

typedef size_t (*carillon_data_callback)(char *data, size_t size, size_t count, void *context);

static inline CURLcode carillon_set_data_callback(CURL *handle, CURLoption option, carillon_data_callback callback) {
  return curl_easy_setopt(handle, option, callback);
}

static inline CURLcode carillon_set_before_request(CURL *handle, curl_prereq_callback callback) {
  return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, callback);
}

static inline long carillon_get_long(CURL *handle, CURLINFO info) {
  long value = 0;
  return curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}

static inline void *carillon_get_private(CURL *handle) {
  char *value = NULL;
  return curl_easy_getinfo(handle, CURLINFO_PRIVATE, &value) == CURLE_OK ? value : NULL;
}

// The SSL * of the transfer's connection; NULL without TLS, or where libcurl was not built on OpenSSL.
static inline void *carillon_get_openssl(CURL *handle) {
  struct curl_tlssessioninfo *session = NULL;
  if (curl_easy_getinfo(handle, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || session == NULL) return NULL;
  return session->backend == CURLSSLBACKEND_OPENSSL ? session->internals : NULL;
}

static inline CURLMcode carillon_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

// The next finished transfer and its result; NULL when there is none.
static inline CURL *carillon_next_finished(CURLM *multi, CURLcode *result) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left)) != NULL) {
    if (message->msg != CURLMSG_DONE) continue;
    *result = message->data.result;
    return message->easy_handle;
  }
  return NULL;
}

static inline CURLcode carillon_global_init(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

#endif
