#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <sqlite3.h>
#include <stdint.h>

/* SQLITE_TRANSIENT is a cast macro, which Swift cannot import. SQLite copies the text before this returns. */
static inline int carillon_bind_text_copy(sqlite3_stmt *statement, int index, const char *text, int length) {
    return sqlite3_bind_text(statement, index, text, length, SQLITE_TRANSIENT);
}

/* fcntl is variadic, and struct flock has the name of a function. Locks (or unlocks) one byte without waiting. */
static inline int carillon_lock_byte(int file, int64_t offset, int lock) {
    struct flock range = {0};
    range.l_type = lock ? F_WRLCK : F_UNLCK;
    range.l_whence = SEEK_SET;
    range.l_start = (off_t)offset;
    range.l_len = 1;
    return fcntl(file, 37 /* F_OFD_SETLK of Linux, which some headers hide */, &range);
}
