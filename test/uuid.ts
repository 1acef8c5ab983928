let made = 0

/** Another UUID each time, the same ones in each run. */
export function nextUuid(): string {
  return `5eed0000-0000-4000-8000-${(++made).toString(16).padStart(12, '0')}`
}
