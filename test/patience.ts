/**
 * So long, in real milliseconds, a test waits for what has to come true before it fails. It is a limit for a test that would
 * otherwise hang, and far beyond what the slowest machine takes; no behaviour is judged by it.
 */
export const patienceMs = 120_000
