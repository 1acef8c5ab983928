import assert from 'node:assert/strict'
import { type Duplex, duplexPair } from 'node:stream'
import { describe, it, type TestContext } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { type Bay, bay } from '../../../src/devices/bay/bay.ts'
import type { BayEvent } from '../../../src/devices/bay/bay-event.ts'
import type { BayOptions } from '../../../src/devices/bay/bay-options.ts'
import { DeviceFault } from '../../../src/devices/fault.ts'
import { systemClock } from '../../../src/host/clock.ts'
import { testClock } from '../../test-clock.ts'

describe('a bay', () => {
  it('opens and starts its device', async (t) => {
    const { box, devices, events } = bench(t)
    assert.equal(box.state(), 'offline')
    await box.ready(long)
    assert.equal(box.state(), 'online')
    assert.equal(box.lastFault, null)
    assert.equal(devices.length, 1)
    assert.deepEqual(events, ['online'])
  })

  it('is starting while the device identifies itself', async (t) => {
    const identified = Promise.withResolvers<void>()
    const { box, opened } = bench(t, { started: () => identified.promise })
    await opened(1)
    assert.equal(box.state(), 'starting')
    identified.resolve()
    await box.ready(long)
  })

  it('says since when it is in its state', async (t) => {
    let now = 1_000
    const { box } = bench(t, { clock: { ...systemClock, now: () => now } })
    assert.equal(box.since, 1_000)
    now = 2_000
    await box.ready(long)
    assert.equal(box.since, 2_000)
  })

  it('says why it is not ready in time', async (t) => {
    const { box } = bench(t, { open: () => new Promise(() => {}) })
    await assert.rejects(box.ready(5), { code: 'dispenser-offline', message: 'lobby: is not open yet' })
  })

  it('tries again for ever when opening fails, and tells each reason once', async (t) => {
    const reasons = ['unplugged', 'unplugged', 'locked', 'unplugged']
    const { box, events, devices } = bench(t, {
      open: async (_, connect) => {
        const reason = reasons.shift()
        if (reason) throw new Error(reason)
        return connect()
      },
    })
    await box.ready(long)
    assert.equal(devices.length, 1)
    assert.deepEqual(events, ['failed: unplugged', 'failed: locked', 'failed: unplugged', 'online'])
  })

  it('waits for as long as the device is away, up to the limit, and after one that goes at once', async (t) => {
    const clock = testClock()
    const tried: number[] = []
    const lives = [0, 0, 1, 0, 0, 0, 0, 0, 0]
    const { box, devices } = bench(t, {
      clock,
      backoff: { firstMs: 10, maxMs: 40 },
      open: async (_, connect) => {
        await null
        tried.push(clock.monotonic())
        if (lives.shift() === 0) throw new Error('unplugged')
        return connect()
      },
      started: async (device) => {
        if (device.number === 1) clock.setTimeout(() => device.pull(), 1)
      },
    })
    while (devices.length < 2) await clock.sleep(1)
    assert.equal(box.state(), 'online')
    const pauses = tried.slice(1).map((at, index) => at - tried[index]!)
    let away = 0
    for (const pause of pauses) {
      const mean = Math.min(40, Math.max(10, away))
      assert.ok(
        pause >= mean * 0.8 - 5 && pause <= mean * 1.2 + 5,
        `${pause} is not about ${mean}: ${pauses}`,
      )
      away += pause
    }
    assert.ok(away > 200, 'also after the device that went at once')
  })

  it('closes a device that does not identify itself, and tries again', async (t) => {
    const { box, devices, events } = bench(t, {
      started: async ({ number }) => {
        if (number === 1) throw new DeviceFault('vendor-error', 'another model')
      },
    })
    await box.ready(long)
    assert.deepEqual(
      devices.map(({ closed }) => closed),
      [true, false],
    )
    assert.deepEqual(events, ['failed: another model', 'online'])
  })

  it('gives up a device that never identifies itself', async (t) => {
    const { box, devices, events } = bench(t, {
      startTimeoutMs: 5,
      started: ({ number }) => (number === 1 ? new Promise(() => {}) : Promise.resolve()),
    })
    await box.ready(long)
    assert.ok(devices[0]?.closed)
    assert.deepEqual(events, ['failed: did not start within 5 ms', 'online'])
  })

  it('tries again when the wire closes while the device identifies itself', async (t) => {
    const { box, devices, opened, events } = bench(t, {
      started: ({ number }) => (number === 1 ? new Promise(() => {}) : Promise.resolve()),
    })
    await opened(1)
    devices[0]!.pull()
    await box.ready(long)
    assert.deepEqual(events, ['failed: the line was closed', 'online'])
  })

  it('closes a device that opened when nobody waited any more', async (t) => {
    const late = Promise.withResolvers<void>()
    const { box, devices, opened } = bench(t, {
      open: async (_, connect) => {
        await late.promise
        return connect()
      },
    })
    await box.close()
    late.resolve()
    await opened(1)
    while (!devices[0]!.wire.closed) await turn()
    assert.ok(devices[0]?.closed)
  })
})

describe('using the device of a bay', () => {
  it('passes on what the work resolves or rejects with', async (t) => {
    const { box } = bench(t)
    await box.ready(long)
    assert.equal(await box.use(async ({ number }) => number), 1)
    const jam = new DeviceFault('dispenser-jam', 'card jam')
    await assert.rejects(
      box.use(() => Promise.reject(jam)),
      jam,
    )
    const mistake = new TypeError('thrown before the first await')
    await assert.rejects(
      box.use(() => {
        throw mistake
      }),
      mistake,
    )
    assert.equal(await box.use(async ({ number }) => number), 1)
  })

  it('is refused with the reason while the device is offline', async (t) => {
    const { box } = bench(t, { open: () => Promise.reject(new Error('unplugged')) })
    await turn()
    await assert.rejects(
      box.use(async () => assert.fail('begun')),
      {
        name: 'DeviceFault',
        code: 'dispenser-offline',
        outcomeUnknown: false,
        message: 'lobby: unplugged',
      },
    )
  })

  it('goes one at a time, in the order of asking', async (t) => {
    const { box } = bench(t)
    await box.ready(long)
    const order: string[] = []
    const work = (who: string) => async () => {
      order.push(`${who} begins`)
      await turn()
      order.push(`${who} ends`)
    }
    await Promise.all([box.use(work('first')), box.use(work('second')), box.use(work('third'))])
    assert.deepEqual(order, [
      'first begins',
      'first ends',
      'second begins',
      'second ends',
      'third begins',
      'third ends',
    ])
  })

  it('is refused as busy when the queue is full', async (t) => {
    const { box } = bench(t, { queueLimit: 2 })
    await box.ready(long)
    const finish = Promise.withResolvers<string>()
    const accepted = [1, 2, 3].map(() => box.use(() => finish.promise))
    await assert.rejects(
      box.use(async () => assert.fail('begun')),
      { code: 'encoder-busy', outcomeUnknown: false },
    )
    finish.resolve('done')
    assert.deepEqual(await Promise.all(accepted), ['done', 'done', 'done'])
    assert.equal(await box.use(async () => 'free again'), 'free again')
  })

  it('ends with the fault of the device that dies; who waits has the next one', async (t) => {
    const { box, devices, events } = bench(t)
    await box.ready(long)
    const using = box.use((device) => device.ask())
    const waiting = box.use(async ({ number }) => number)
    devices[0]!.pull()
    await assert.rejects(using, { code: 'encoder-offline' })
    assert.equal(await waiting, 2)
    assert.ok(devices[0]?.closed)
    assert.equal(await box.use(async ({ number }) => number), 2)
    assert.deepEqual(events, ['online', 'lost: the line was closed', 'online'])
  })

  it('is not held up by somebody still at work on a device that is gone', async (t) => {
    const { box, devices, opened } = bench(t)
    await box.ready(long)
    const finish = Promise.withResolvers<string>()
    const stuck = box.use(() => finish.promise)
    devices[0]!.pull()
    await opened(2)
    await box.ready(long)
    assert.equal(await box.use(async ({ number }) => number), 2)
    finish.resolve('late')
    assert.equal(await stuck, 'late')
    assert.equal(await box.use(async ({ number }) => number), 2)
  })

  it('survives a wire that breaks, and breaks again once dropped', async (t) => {
    const { box, devices, opened, events } = bench(t)
    await box.ready(long)
    const { wire } = devices[0]!
    wire.destroy(new Error('EIO'))
    await opened(2)
    wire.emit('error', new Error('EBADF'))
    await box.ready(long)
    assert.deepEqual(events, ['online', 'lost: EIO', 'online'])
  })

  it('is not stopped by a device that fails to close, nor by who is told of events', async (t) => {
    const warned = new Promise((resolve) =>
      process.on('warning', ({ message }) => message === 'deaf' && resolve(0)),
    )
    const { box, devices, opened } = bench(t, {
      log: () => {
        throw new Error('deaf')
      },
    })
    await opened(1)
    devices[0]!.close = () => {
      throw new Error('stuck')
    }
    devices[0]!.pull()
    await opened(2)
    await box.ready(long)
    await warned
  })
})

describe('resetting a bay', () => {
  it('drops the device; who asks next waits for the new one', async (t) => {
    const { box, devices, events } = bench(t)
    await box.ready(long)
    assert.equal(box.reset(), true)
    assert.equal(box.state(), 'offline')
    assert.equal(await box.use(async ({ number }) => number), 2)
    assert.ok(devices[0]?.closed)
    assert.deepEqual(events, ['online', 'lost: was reset', 'online'])
  })

  it('ends the pause between two attempts', async (t) => {
    let plugged = false
    const { box } = bench(t, {
      backoff: { firstMs: 3_600_000, maxMs: 3_600_000 },
      open: async (_, connect) => {
        if (!plugged) throw new Error('unplugged')
        return connect()
      },
    })
    await turn()
    plugged = true
    assert.equal(box.reset(), false)
    await box.ready(long)
  })

  it('ends an attempt under way', async (t) => {
    let given: AbortSignal | undefined
    const { box, devices } = bench(t, {
      open: (signal, connect) => {
        if (given) return connect()
        given = signal
        return new Promise(() => {})
      },
    })
    box.reset()
    await box.ready(long)
    assert.ok(given?.aborted)
    assert.equal(devices.length, 1)
  })

  it('refuses who waited when the start after it fails', async (t) => {
    const { box } = bench(t, {
      started: async ({ number }) => {
        if (number > 1) throw new Error('jammed')
      },
    })
    await box.ready(long)
    box.reset()
    await assert.rejects(
      box.use(async () => assert.fail('begun')),
      { code: 'dispenser-offline', message: 'lobby: jammed' },
    )
  })

  it('bounds the queue of those who wait for the start', async (t) => {
    const { box } = bench(t, { queueLimit: 1 })
    await box.ready(long)
    box.reset()
    const waiting = box.use(async ({ number }) => number)
    await assert.rejects(
      box.use(async () => assert.fail('begun')),
      { code: 'encoder-busy' },
    )
    assert.equal(await waiting, 2)
  })
})

describe('closing a bay', () => {
  it('drops the device and refuses everybody from then on', async (t) => {
    const { box, devices, events } = bench(t)
    await box.ready(long)
    await box.close()
    assert.ok(devices[0]?.wire.closed)
    assert.equal(box.state(), 'offline')
    assert.equal(box.reset(), false)
    await assert.rejects(
      box.use(async () => assert.fail('begun')),
      { message: 'lobby: is closed' },
    )
    await assert.rejects(box.ready(long), { code: 'dispenser-offline' })
    await box.close()
    assert.deepEqual(events, ['online', 'closed'])
  })

  it('gives up the opening and tells who waits for it', async (t) => {
    let given: AbortSignal | undefined
    const { box } = bench(t, {
      open: (signal) => {
        given = signal
        return new Promise(() => {})
      },
    })
    const unready = assert.rejects(box.ready(long), { message: 'lobby: is closed' })
    await box.close()
    await unready
    assert.ok(given?.aborted)
  })

  it('ends the pause between two attempts', async (t) => {
    const { box } = bench(t, {
      backoff: { firstMs: 3_600_000, maxMs: 3_600_000 },
      open: () => Promise.reject(new Error('unplugged')),
    })
    await turn()
    await box.close()
    assert.equal(box.lastFault?.message, 'is closed')
  })

  it('waits for who is at work, whose calls end, and refuses who waits', async (t) => {
    const { box } = bench(t)
    await box.ready(long)
    const order: string[] = []
    const using = box.use((device) => device.ask()).finally(() => order.push('work ended'))
    const waiting = assert.rejects(
      box.use(async () => assert.fail('begun')),
      { message: 'lobby: is closed' },
    )
    const faulted = assert.rejects(using, { code: 'encoder-offline' })
    await box.close()
    order.push('closed')
    await Promise.all([faulted, waiting])
    assert.deepEqual(order, ['work ended', 'closed'])
  })

  it('does not wait for ever for who never ends', async (t) => {
    const { box } = bench(t)
    await box.ready(long)
    void box.use(() => new Promise(() => {}))
    await box.close()
    assert.equal(box.state(), 'offline')
  })
})

/** Longer than any machine takes; a test that waits this long has failed. */
const long = 60_000

interface Gadget {
  number: number
  closed: boolean
  wire: Duplex
  /** Never answered: rejects once the wire is closed. */
  ask(): Promise<never>
  /** The other end of the wire goes. */
  pull(): void
  close(): void
}

type Connect = () => Promise<{ device: Gadget; wire: Duplex }>

interface Bench {
  box: Bay<Gadget>
  devices: Gadget[]
  events: string[]
  /** Resolves when so many devices have been opened and the bay has had its turn. */
  opened(count: number): Promise<void>
}

type Settings = Omit<Partial<BayOptions<Gadget>>, 'open'> & {
  open?: (signal: AbortSignal, connect: Connect) => ReturnType<BayOptions<Gadget>['open']>
}

function bench(t: TestContext, { open = (_, connect) => connect(), ...settings }: Settings = {}): Bench {
  const devices: Gadget[] = []
  const events: string[] = []
  const connect = async () => {
    const device = gadget(devices.length + 1)
    devices.push(device)
    return { device, wire: device.wire }
  }
  const box = bay<Gadget>({
    name: 'lobby',
    started: async () => {},
    clock: systemClock,
    offlineCode: 'dispenser-offline',
    backoff: { firstMs: 1, maxMs: 4 },
    log: ({ what, fault }: BayEvent) => events.push(fault ? `${what}: ${fault.message}` : what),
    ...settings,
    open: (signal) => open(signal, connect),
  })
  t.after(() => box.close())
  const opened = async (count: number) => {
    while (devices.length < count) await turn()
    await turn()
  }
  return { box, devices, events, opened }
}

function gadget(number: number): Gadget {
  const [wire, machine] = duplexPair()
  machine.on('error', () => {})
  wire.resume()
  return {
    number,
    wire,
    closed: false,
    ask: () =>
      new Promise((_, reject) =>
        wire.once('close', () => reject(new DeviceFault('encoder-offline', 'gone'))),
      ),
    pull: () => machine.end(),
    close() {
      this.closed = true
      wire.destroy()
    },
  }
}
