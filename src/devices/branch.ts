import { Duplex } from 'node:stream'

const trunks = new WeakMap<Duplex, Duplex>()

/**
 * A device's own end of a wire that another device has open. It closes when the wire does; closing it leaves the wire
 * open. It carries no bytes: who stands on one wire takes turns on it, which is for their driver to see to.
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
  // An `error` that nobody listens to ends the process.
  end.on('error', () => {})
  const close = () => void end.destroy()
  trunk.once('close', close)
  if (trunk.destroyed) close()
  trunks.set(end, trunk)
  return end
}

/** The wire that this is a branch of; any other wire is its own. */
export function trunkOf(wire: Duplex): Duplex {
  return trunks.get(wire) ?? wire
}
