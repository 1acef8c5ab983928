import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The line between a browser and a box, which a test cuts or silences. */
export interface Line {
  url: string
  /** Ends all connections, and refuses new ones until it is mended. */
  cut(): void
  /** Lets no byte pass, while all connections stay open, until it is mended. */
  silence(): void
  mend(): void
  close(): void
}

export async function lineTo(url: string): Promise<Line> {
  let state: 'whole' | 'cut' | 'silent' = 'whole'
  const ends = new Set<Socket>()
  const server = createServer((near) => {
    if (state === 'cut') return void near.destroy()
    const far = connect(Number(new URL(url).port), '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(from)
      from.on('error', () => {})
      from.on('close', () => {
        ends.delete(from)
        to.destroy()
      })
      from.on('data', (bytes) => void to.write(bytes))
      if (state === 'silent') from.pause()
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const cut = () => {
    state = 'cut'
    for (const end of ends) end.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    silence() {
      state = 'silent'
      for (const end of ends) end.pause()
    },
    mend() {
      state = 'whole'
      for (const end of ends) end.resume()
    },
    close() {
      cut()
      server.close()
    },
  }
}
