/** Whether a topic is among those of a filter with `+` and `#`. Topics that start with `$` are not for wildcards. */
export function matches(filter: string, topic: string): boolean {
  if (topic.startsWith('$') && /^[+#]/.test(filter)) return false
  const steps = topic.split('/')
  const wanted = filter.split('/')
  for (const [n, step] of wanted.entries()) {
    if (step === '#') return true
    if (n >= steps.length || (step !== '+' && step !== steps[n])) return false
  }
  return wanted.length === steps.length
}

/** `$share/pms/a/#` is the filter `a/#` of the group `pms`. */
export function sharedBy(filter: string): { group: string | null; filter: string } {
  const [, group, shared] = /^\$share\/([^/+#]+)\/(.+)$/.exec(filter) ?? []
  return group && shared ? { group, filter: shared } : { group: null, filter }
}
