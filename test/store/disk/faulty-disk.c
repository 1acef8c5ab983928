/*
 * Loaded before the C library. Makes calls fail that name, or use, a file whose path begins with FAULTY_DISK_FILES, as
 * the file FAULTY_DISK says, which may change at any time.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <linux/fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * Of one kind of call: `passing` more succeed, then `failing` fail with the number `error` of the system; -1 writes only the half.
 */
struct fault {
  long error, passing, failing;
};

/* What lies in the file. `threads`: the calls of the main thread succeed. `failed`: calls of other threads that failed. */
static struct shared {
  struct fault reads, writes, flushes, opens, renames, removals, sizes, folders;
  long threads, failed;
} *shared;

static const char *files;

static int is_main(void) { return getpid() == gettid(); }

static int is_meant(const char *path) { return strncmp(path, files, strlen(files)) == 0; }

static int is_meant_file(int file) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t size = readlink(link, path, sizeof path - 1);
  if (size < 0) return 0;
  path[size] = 0;
  return is_meant(path);
}

/* Whether a call fails that uses an open file (`path` is null), or names a path. */
static int fails(struct fault *fault, int file, const char *path) {
  if (fault->error == 0 || (shared->threads && is_main())) return 0;
  if (!(path ? is_meant(path) : is_meant_file(file))) return 0;
  if (__atomic_fetch_sub(&fault->passing, 1, __ATOMIC_SEQ_CST) > 0) return 0;
  if (__atomic_fetch_sub(&fault->failing, 1, __ATOMIC_SEQ_CST) <= 0) return 0;
  if (!is_main()) __atomic_fetch_add(&shared->failed, 1, __ATOMIC_SEQ_CST);
  errno = fault->error;
  return 1;
}

#define NEXT(type, name, parameters)                                      \
  static type(*next) parameters;                                          \
  if (!next) next = (type(*) parameters)dlsym(RTLD_NEXT, #name)

/* A call that uses an open file. */
#define CALL(type, name, kind, parameters, values)                        \
  type name parameters {                                                  \
    NEXT(type, name, parameters);                                         \
    return shared && fails(&shared->kind, file, 0) ? -1 : next values;    \
  }

/* A call that writes, which may also write less than it was given. */
#define WRITES(name, parameters, values, half)                            \
  ssize_t name parameters {                                               \
    NEXT(ssize_t, name, parameters);                                      \
    if (!shared || !fails(&shared->writes, file, 0)) return next values;  \
    return errno == -1 && size > 1 ? next half : -1;                      \
  }

/* A call that names a path. The last parameter of `open` is there only for a new file. */
#define NAMES(name, kind, parameters, values)                             \
  int name parameters {                                                   \
    NEXT(int, name, parameters);                                          \
    return shared && fails(&shared->kind, -1, path) ? -1 : next values;   \
  }

#define READ (int file, void *bytes, size_t size, off_t from)
#define WRITE (int file, const void *bytes, size_t size, off_t from)

CALL(ssize_t, read, reads, (int file, void *bytes, size_t size), (file, bytes, size))
CALL(ssize_t, pread, reads, READ, (file, bytes, size, from))
CALL(ssize_t, pread64, reads, READ, (file, bytes, size, from))
WRITES(write, (int file, const void *bytes, size_t size), (file, bytes, size), (file, bytes, size / 2))
WRITES(pwrite, WRITE, (file, bytes, size, from), (file, bytes, size / 2, from))
WRITES(pwrite64, WRITE, (file, bytes, size, from), (file, bytes, size / 2, from))
CALL(int, fsync, flushes, (int file), (file))
CALL(int, fdatasync, flushes, (int file), (file))
CALL(int, ftruncate, sizes, (int file, off_t size), (file, size))
CALL(int, ftruncate64, sizes, (int file, off_t size), (file, size))
NAMES(rename, renames, (const char *path, const char *to), (path, to))
NAMES(unlink, removals, (const char *path), (path))
NAMES(rmdir, removals, (const char *path), (path))
NAMES(mkdir, folders, (const char *path, mode_t mode), (path, mode))
NAMES(open, opens, (const char *path, int how, mode_t mode), (path, how, mode))
NAMES(open64, opens, (const char *path, int how, mode_t mode), (path, how, mode))

__attribute__((constructor)) static void start(void) {
  const char *path = getenv("FAULTY_DISK");
  files = getenv("FAULTY_DISK_FILES");
  int file = path && files ? open(path, O_RDWR, 0) : -1;
  if (file < 0) return;
  void *at = mmap(0, sizeof(struct shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (at != MAP_FAILED) shared = at;
  close(file);
}
