/*
 * Loaded before the C library. Makes reads, writes and flushes fail of the files whose paths begin with
 * FAULTY_DISK_FILES, as the file FAULTY_DISK says, which may change at any time.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Of one kind of call: `passing` more succeed, then `failing` fail with the number `error` of the system. */
struct fault {
  long error, passing, failing;
};

/* What lies in the file. `threads`: the calls of the main thread succeed. `failed`: calls of other threads that failed. */
static struct shared {
  struct fault reads, writes, flushes;
  long threads, failed;
} *shared;

static const char *files;

__attribute__((constructor)) static void start(void) {
  const char *path = getenv("FAULTY_DISK");
  files = getenv("FAULTY_DISK_FILES");
  int file = path && files ? open(path, O_RDWR) : -1;
  if (file < 0) return;
  void *at = mmap(0, sizeof(struct shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (at != MAP_FAILED) shared = at;
  close(file);
}

static int is_main(void) { return getpid() == gettid(); }

static int is_meant(int file) {
  char link[64], path[4096];
  if (shared->threads && is_main()) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t size = readlink(link, path, sizeof path - 1);
  if (size < 0) return 0;
  path[size] = 0;
  return strncmp(path, files, strlen(files)) == 0;
}

static int fails(struct fault *fault, int file) {
  if (fault->error == 0 || !is_meant(file)) return 0;
  if (__atomic_fetch_sub(&fault->passing, 1, __ATOMIC_SEQ_CST) > 0) return 0;
  if (__atomic_fetch_sub(&fault->failing, 1, __ATOMIC_SEQ_CST) <= 0) return 0;
  if (!is_main()) __atomic_fetch_add(&shared->failed, 1, __ATOMIC_SEQ_CST);
  errno = fault->error;
  return 1;
}

/* A call whose first parameter is a file. */
#define CALL(type, name, kind, parameters, values)                        \
  type name parameters {                                                  \
    static type(*next) parameters;                                        \
    if (!next) next = (type(*) parameters)dlsym(RTLD_NEXT, #name);        \
    return shared && fails(&shared->kind, file) ? -1 : next values;       \
  }

#define READ (int file, void *bytes, size_t size, off_t from)
#define WRITE (int file, const void *bytes, size_t size, off_t from)

CALL(ssize_t, pread, reads, READ, (file, bytes, size, from))
CALL(ssize_t, pread64, reads, READ, (file, bytes, size, from))
CALL(ssize_t, pwrite, writes, WRITE, (file, bytes, size, from))
CALL(ssize_t, pwrite64, writes, WRITE, (file, bytes, size, from))
CALL(int, fsync, flushes, (int file), (file))
CALL(int, fdatasync, flushes, (int file), (file))
