import type { DeviceFault } from '../fault.ts'

/** One user's turn on the device. */
export interface DeviceTurn<Device> {
  /** Never rejects. */
  run(device: Device): Promise<void>
  refuse(fault: DeviceFault): void
}

/** The queue of users of a device: one at a time, in the order of joining, on the device that is currently given. */
export function turns<Device>() {
  const waiting: DeviceTurn<Device>[] = []
  let current: Device | null = null
  let atWork: Device | null = null
  let work = Promise.resolve()

  function next() {
    // A user that still works on a lost device does not block the users of the next device.
    if (current === null || atWork === current) return
    const turn = waiting.shift()
    if (!turn) return
    const mine = current
    atWork = mine
    work = turn.run(mine).then(() => {
      if (atWork === mine) atWork = null
      next()
    })
  }

  return {
    length: () => waiting.length,
    idle: () => work,
    join(turn: DeviceTurn<Device>) {
      waiting.push(turn)
      next()
    },
    give(device: Device | null) {
      current = device
      next()
    },
    /** Removes a waiting turn from the queue, and refuses it with the fault. */
    dismiss(turn: DeviceTurn<Device>, fault: DeviceFault) {
      const place = waiting.indexOf(turn)
      if (place < 0) return
      waiting.splice(place, 1)
      turn.refuse(fault)
    },
    refuse(fault: DeviceFault) {
      for (const turn of waiting.splice(0)) turn.refuse(fault)
    },
  }
}
