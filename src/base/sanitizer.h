#ifndef CR_BASE_SANITIZER_H
#define CR_BASE_SANITIZER_H

/*
 * CR_SANITIZED: 1 in a build with the address or the thread sanitizer, else 0. Such a program
 * reserves terabytes of address space, has its own allocator, and starts a tracing thread when it
 * exits.
 */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CR_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define CR_SANITIZED 1
#endif
#endif

#ifndef CR_SANITIZED
#define CR_SANITIZED 0
#endif

#endif
