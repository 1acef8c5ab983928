import { Duplex } from 'node:stream'

const trunks = new WeakMap<Duplex, Duplex>()

/**
 * One device's end of a wire that another device has open. It closes when the wire closes; closing it leaves the wire
 * open. It carries no bytes: the devices on one wire take turns on the wire itself, and their driver enforces this.
 */
export function branch(trunk: Duplex): Duplex {
  const end = new Duplex({
    read() {},
    write: (_chunk, _encoding, done) => done(new Error('a branch of a wire carries no bytes')),
    destroy(error, done) {
      trunk.off('close', close)
      done(error)
    },
  })
  // Without a listener, an `error` event ends the process.
  end.on('error', () => {})
  const close = () => void end.destroy()
  trunk.once('close', close)
  if (trunk.destroyed) close()
  trunks.set(end, trunk)
  return end
}

/** The wire of which this wire is a branch. For any other wire, the wire itself. */
export function trunkOf(wire: Duplex): Duplex {
  return trunks.get(wire) ?? wire
}
