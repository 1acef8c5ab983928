/** Rounds of one work, one at a time: the first at once, and then one each time that it was woken meanwhile. */
export function roundsOf(round: () => Promise<void>, isOver: () => boolean) {
  let isDue = true
  let rouse: () => void = () => {}

  return {
    wake(): void {
      isDue = true
      rouse()
    },
    /** Resolves when it is over and was woken. Rejects as a round does. */
    async run(): Promise<void> {
      while (!isOver()) {
        if (!isDue) await new Promise<void>((resolve) => (rouse = resolve))
        isDue = false
        if (!isOver()) await round()
      }
    },
  }
}
