/* Loaded before the C library: counts every flush to the disk in a shared file, and makes each take longer. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* The file's two numbers: flushes so far, and the nanoseconds added to each. The delay may be changed at any time. */
static volatile long *shared;

__attribute__((constructor)) static void start(void) {
  const char *path = getenv("SLOW_FLUSH_FILE");
  int file = path ? open(path, O_RDWR) : -1;
  if (file < 0) return;
  void *at = mmap(0, 2 * sizeof(long), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (at != MAP_FAILED) shared = at;
  close(file);
}

static void count(void) {
  if (!shared) return;
  __sync_fetch_and_add(&shared[0], 1);
  long delay = shared[1];
  struct timespec wait = {delay / 1000000000, delay % 1000000000};
  if (delay > 0) nanosleep(&wait, 0);
}

int fsync(int file) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  count();
  return real(file);
}

int fdatasync(int file) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  count();
  return real(file);
}
