import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { appearing } from '../../../src/devices/bay/appearing.ts'
import { bay } from '../../../src/devices/bay/bay.ts'
import { openWire } from '../../../src/devices/wires/wire.ts'
import { systemClock } from '../../../src/host/clock.ts'
import { programMissing } from '../../programs.ts'

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'appearing-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** Counts what is told, and waits for the next. */
function counting(t: TestContext, path: string, dev?: string) {
  let told = 0
  let next = Promise.withResolvers<void>()
  const appeared = () => {
    told++
    next.resolve()
    next = Promise.withResolvers()
  }
  t.after(appearing(path, systemClock, appeared, dev))
  return { told: () => told, next: () => next.promise }
}

describe('a HID device', () => {
  // Without an interrupt endpoint it has no /dev/hidraw*, only a node on its bus, with another number each time.
  it('without a node of its own is reported each time that it is plugged in', async (t) => {
    const dev = folder(t)
    const bus = join(dev, 'bus/usb/001')
    mkdirSync(bus, { recursive: true })
    writeFileSync(join(bus, '001'), '')
    const { next, told } = counting(t, 'hid://ffff:0035', dev)
    await pause(150)
    for (const round of [1, 2]) {
      const soon = next()
      writeFileSync(join(bus, `00${1 + round}`), '')
      await soon
      assert.equal(told(), round)
      unlinkSync(join(bus, `00${1 + round}`))
      await pause(150)
    }
  })

  it('is reported on a bus that appears with it', async (t) => {
    const dev = folder(t)
    const { next } = counting(t, 'hid://ffff:0035', dev)
    for (let round = 0; round < 2; round++) {
      const soon = next()
      mkdirSync(join(dev, 'bus/usb/002'), { recursive: true })
      writeFileSync(join(dev, 'bus/usb/002/001'), '')
      await soon
      rmSync(join(dev, 'bus'), { recursive: true })
      await pause(150)
    }
  })
})

describe('a path', () => {
  it('that appears is told, each time', async (t) => {
    const path = join(folder(t), 'line')
    const { next, told } = counting(t, path)
    for (const round of [1, 2]) {
      const soon = next()
      writeFileSync(path, '')
      await soon
      assert.equal(told(), round)
      unlinkSync(path)
      await pause(150)
    }
    assert.equal(told(), 2)
  })

  it('is found in folders that come and go with it', async (t) => {
    const top = folder(t)
    const by = join(top, 'serial', 'by-id')
    const { next } = counting(t, join(by, 'line'))
    for (let round = 0; round < 2; round++) {
      const soon = next()
      mkdirSync(by, { recursive: true })
      symlinkSync('/dev/null', join(by, 'line'))
      await soon
      rmSync(join(top, 'serial'), { recursive: true })
      await pause(150)
    }
  })

  it('is not told of for its neighbours, nor once nobody listens', async (t) => {
    const top = folder(t)
    const path = join(top, 'line')
    let told = 0
    const end = appearing(path, systemClock, () => told++)
    writeFileSync(join(top, 'other'), '')
    await pause(150)
    end()
    writeFileSync(path, '')
    await pause(150)
    assert.equal(told, 0)
  })

  it('is not asked for where there is nothing to watch', () => {
    appearing('tcp://127.0.0.1:1', systemClock, assert.fail)()
    appearing('simulated:encoder', systemClock, assert.fail)()
  })
})

describe('a device that is pulled and plugged in', () => {
  it('is back at once, however long the pause was', { skip: programMissing('socat') }, async (t) => {
    const path = join(folder(t), 'line')
    const plug = async () => {
      const socat = spawn('socat', [`pty,raw,echo=0,link=${path}`, 'exec:cat'], { stdio: 'ignore' })
      t.after(() => socat.kill())
      return socat
    }
    const box = bay({
      name: 'Desk',
      open: async (signal) => {
        const wire = await openWire(
          { transport: 'serial', path },
          { clock: systemClock, signal, checkMs: 100 },
        )
        return { wire, device: { close: () => void wire.destroy() } }
      },
      started: async () => {},
      clock: systemClock,
      // Without being told it would take ten minutes.
      backoff: { firstMs: 600_000, maxMs: 600_000 },
      offlineCode: 'encoder-offline',
      appears: (retry) => appearing(path, systemClock, retry),
    })
    t.after(() => box.close())
    const becomes = async (state: string) => {
      while (box.state() !== state || (state === 'offline' && !box.lastFault)) await pause(20)
    }
    await becomes('offline')
    for (let round = 0; round < 2; round++) {
      const socat = await plug()
      await becomes('online')
      socat.kill()
      await once(socat, 'exit')
      await becomes('offline')
    }
  })
})
