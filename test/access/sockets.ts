import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

/** Simulated devices on real sockets: they outlive whoever is connected to them. */
export function sockets() {
  const servers: Server[] = []

  /** The address of a device that is played at the far end of each connection. */
  async function plugIn(play: (wire: Socket) => Promise<void>): Promise<string> {
    // Without it a second small answer waits in the kernel until the first is acknowledged, in real time.
    const server = createServer({ noDelay: true }, (wire) => {
      // A killed program resets its connections; the device takes no notice.
      wire.on('error', () => {})
      void play(wire)
    })
    servers.push(server)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  /** The address of a device that takes one connection at a time: it closes any other at once. */
  function plugInForOne(play: (wire: Socket) => Promise<void>): Promise<string> {
    let isTaken = false
    return plugIn(async (wire) => {
      if (isTaken) return void wire.destroy()
      isTaken = true
      wire.once('close', () => {
        isTaken = false
      })
      await play(wire)
    })
  }

  return { plugIn, plugInForOne, close: () => servers.forEach((server) => void server.close()) }
}
