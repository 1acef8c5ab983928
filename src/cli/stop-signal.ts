const signals = ['SIGTERM', 'SIGINT'] as const

/** Resolves with the first SIGTERM or SIGINT. The next signal ends the process. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      for (const signal of signals) process.off(signal, stop)
      resolve()
    }
    for (const signal of signals) process.on(signal, stop)
  })
}
