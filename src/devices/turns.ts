import type { DeviceFault } from './fault.ts'

/** One who wants the device. */
export interface Turn<Device> {
  /** Never rejects. */
  run(device: Device): Promise<void>
  refuse(fault: DeviceFault): void
}

/** Those who want the device: one at a time, in the order of asking, on whatever device is given to them. */
export function turns<Device>() {
  const waiting: Turn<Device>[] = []
  let given: Device | null = null
  let atWork: Device | null = null
  let work = Promise.resolve()

  function next() {
    // Somebody still at work on a device that is gone does not hold up the users of its successor.
    if (given === null || atWork === given) return
    const turn = waiting.shift()
    if (!turn) return
    const mine = given
    atWork = mine
    work = turn.run(mine).then(() => {
      if (atWork === mine) atWork = null
      next()
    })
  }

  return {
    length: () => waiting.length,
    idle: () => work,
    join(turn: Turn<Device>) {
      waiting.push(turn)
      next()
    },
    give(device: Device | null) {
      given = device
      next()
    },
    /** Takes one who waits out of the queue, and refuses him. */
    dismiss(turn: Turn<Device>, fault: DeviceFault) {
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
