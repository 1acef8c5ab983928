import assert from 'node:assert/strict'
import { type Duplex, duplexPair } from 'node:stream'
import { describe, it, type TestContext } from 'node:test'
import { type Bay, bay } from '../../src/devices/bay/bay.ts'
import { type TestClock, testClock } from '../test-clock.ts'

interface Line {
  clock: TestClock
  box: Bay<{ close(): void }>
  /** How often the device was looked for. */
  attempts: number
  pull(): void
  /** A device that is away for so long once it is pulled. */
  awayMs: number
}

/** A device with the pauses of a real one: from a second to a minute. */
function flaky(test: TestContext, awayMs = 0, started = async () => {}): Line {
  const clock = testClock({ always: false })
  let machine: Duplex | null = null
  let backAt = 0
  const line: Line = {
    clock,
    attempts: 0,
    awayMs,
    pull() {
      backAt = clock.monotonic() + line.awayMs
      machine?.destroy()
    },
    box: bay({
      name: 'Lobby',
      clock,
      offlineCode: 'encoder-offline',
      started,
      standsStill: ({ message }) => message === 'is jammed',
      async open() {
        await null
        line.attempts++
        if (clock.monotonic() < backAt) throw new Error('is not there')
        const [wire, far] = duplexPair()
        far.once('close', () => wire.destroy())
        machine = far
        wire.resume()
        return { wire, device: { close: () => void wire.destroy() } }
      },
    }),
  }
  test.after(async () => {
    await clock.during(line.box.close())
    clock.retire()
  })
  return line
}

const pass = ({ clock }: Line, ms: number) => clock.during(clock.sleep(ms), 0)

/** How many of so many requests, one a second, were not begun. */
async function refusedOf(line: Line, count: number, each: (request: number) => void): Promise<number> {
  let refused = 0
  for (let request = 0; request < count; request++) {
    each(request)
    await line.clock.during(
      line.box.use(async () => {}).catch(() => refused++),
      0,
    )
    await pass(line, 1_000)
  }
  return refused
}

describe('a line that goes again and again, and comes back at once', () => {
  it('costs nobody his key', async (test) => {
    const line = flaky(test)
    assert.equal(await refusedOf(line, 150, (request) => request % 2 === 0 && line.pull()), 0)
  })

  it('costs nobody his key when it is away for two seconds each time', async (test) => {
    const line = flaky(test, 2_000)
    assert.equal(await refusedOf(line, 150, (request) => request % 10 === 5 && line.pull()), 0)
  })

  it('is back within two seconds though nobody asks, each time', async (test) => {
    const line = flaky(test)
    await pass(line, 10)
    for (let time = 0; time < 20; time++) {
      await pass(line, 3_000)
      line.pull()
      await pass(line, 1_500)
      assert.equal(line.box.state(), 'online', `after ${time}`)
    }
  })

  it('is not held for steady because somebody sets the clock', async (test) => {
    const line = flaky(test)
    await pass(line, 10)
    for (let time = 0; time < 8; time++) {
      line.clock.set(line.clock.now() + 3_600_000)
      line.pull()
      await pass(line, 10)
    }
    const before = line.attempts
    await pass(line, 20_000)
    assert.ok(line.attempts - before <= 6, `${line.attempts - before} attempts in 20 s`)
  })
})

describe('a device that is gone', () => {
  it('is tried as soon as somebody wants it, however long the pause', async (test) => {
    const line = flaky(test, 600_000)
    await pass(line, 10)
    line.pull()
    await pass(line, 600_000 - 30_000)
    line.awayMs = 0
    line.pull()
    const before = line.clock.monotonic()
    await line.clock.during(
      line.box.use(async () => {}),
      0,
    )
    assert.ok(line.clock.monotonic() - before <= 1_000)
  })

  it('keeps nobody for longer than an attempt, or 5 s', async (test) => {
    const line = flaky(test, 600_000)
    await pass(line, 10)
    line.pull()
    for (const [after, most] of [
      [0, 5_000],
      [60_000, 1_000],
    ] as const) {
      await pass(line, after)
      const before = line.clock.monotonic()
      await line.clock.during(
        assert.rejects(
          line.box.use(async () => {}),
          /Lobby: is not there/,
        ),
        0,
      )
      assert.ok(line.clock.monotonic() - before <= most, `${line.clock.monotonic() - before}`)
    }
  })

  it('is not tried more often than five times a second, whoever asks', async (test) => {
    const line = flaky(test, 600_000)
    await pass(line, 10)
    line.pull()
    const before = line.attempts
    const end = line.clock.monotonic() + 10_000
    while (line.clock.monotonic() < end) {
      await line.clock.during(
        line.box.use(async () => {}).catch(() => {}),
        0,
      )
      await pass(line, 1)
    }
    assert.ok(line.attempts - before <= 20, `${line.attempts - before} attempts in 10 s`)
  })

  it('is found soon though somebody asked for it again and again', async (test) => {
    const line = flaky(test, 6_000)
    await pass(line, 10)
    line.pull()
    // The bay sees it before anybody asks.
    await pass(line, 1)
    for (let request = 0; request < 3; request++)
      await line.clock.during(
        line.box.use(async () => {}).catch(() => {}),
        0,
      )
    await pass(line, 12_000)
    assert.equal(line.box.state(), 'online')
  })

  it('is tried every second while somebody waits until it is ready', async (test) => {
    const line = flaky(test, 30_000)
    await pass(line, 10)
    line.pull()
    await pass(line, 25_000)
    const before = line.clock.monotonic()
    await line.clock.during(line.box.ready(60_000), 0)
    assert.ok(line.clock.monotonic() - before <= 7_000)
  })
})

describe('a device that answers and does not start', () => {
  it('is not tried more often because somebody wants it', async (test) => {
    let isJammed = true
    const line = flaky(test, 0, async () => {
      if (isJammed) throw new Error('is jammed')
    })
    await pass(line, 10)
    const ready = line.clock.during(line.box.ready(60_000), 0).catch(() => {})
    for (let second = 0; second < 60; second++) {
      const before = line.clock.monotonic()
      await line.clock.during(
        assert.rejects(
          line.box.use(async () => {}),
          /Lobby: is jammed/,
        ),
        0,
      )
      assert.ok(line.clock.monotonic() - before <= 10, 'it is answered at once')
      await pass(line, 1_000)
    }
    await ready
    assert.ok(line.attempts <= 9, `${line.attempts} attempts in a minute`)
    isJammed = false
    line.box.reset()
    await line.clock.during(
      line.box.use(async () => {}),
      0,
    )
  })
})
