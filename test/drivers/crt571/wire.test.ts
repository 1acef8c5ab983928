import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { take } from '../../../src/simulators/devices/simulated-card-path.ts'
import { fault } from '../dispenser-contract.ts'
import type { TamperedBench } from './tampered-wire.ts'
import { isAbout, isControl, isFrame, once, tamperedBench } from './tampered-wire.ts'
import { bytes, replyFrames } from './vectors.ts'

const isAck = isControl(0x06)
const isEot = isControl(0x04)
const isFeed = isAbout(0x32, 0x32)
const isStatus = isAbout(0x31, 0x30)

function copies({ sent }: TamperedBench, name: string): number {
  return sent.filter((each) => each === name).length
}

/** Whatever the driver says about this command is lost, ACK and reply, from the moment it is sent. */
function deafTo(bench: TamperedBench, command: (said: Uint8Array) => boolean) {
  let deaf = false
  bench.tamper.driver = (said) => {
    deaf = command(said)
    return said
  }
  bench.tamper.machine = (said) => (deaf ? null : said)
}

describe('crt571 on a bad wire', { concurrency: true }, () => {
  describe('when the ACK is lost', { concurrency: true }, () => {
    it('asks a question again', async () => {
      const bench = await tamperedBench()
      bench.tamper.machine = once(isAck, () => null)
      bench.tamper.driver = once(isStatus, () => null)
      assert.equal((await bench.dispenser.status()).card, 'none')
      assert.equal(copies(bench, 'status'), 2)
    })

    it('clears the line before the next command, as the lost copy may still be answered', async () => {
      const bench = await tamperedBench()
      bench.tamper.driver = once(isStatus, () => null)
      await bench.dispenser.status()
      bench.sent.length = 0
      await bench.dispenser.status()
      assert.deepEqual(bench.sent, ['eot', 'status', 'ack'])
    })

    it('says offline when three copies went unconfirmed', async () => {
      const bench = await tamperedBench()
      bench.tamper.driver = () => null
      await assert.rejects(bench.dispenser.status(), fault('dispenser-offline', false))
      assert.equal(copies(bench, 'status'), 3)
    })

    it('waits for the reply of a motion, and sends it once', async () => {
      const bench = await tamperedBench()
      bench.tamper.driver = once(isFeed, (said) => {
        bench.tamper.machine = once(isAck, () => null)
        return said
      })
      assert.equal((await bench.dispenser.move('encoder')).card, 'encoder')
      assert.equal(copies(bench, 'move-encoder'), 1)
      assert.equal(bench.machine.stack.length, 2)
    })

    it('believes the sensors when the reply is lost as well, and sends the motion once', async () => {
      const bench = await tamperedBench()
      deafTo(bench, isFeed)
      assert.equal((await bench.dispenser.move('encoder')).card, 'encoder')
      assert.equal(copies(bench, 'move-encoder'), 1)
      assert.equal(bench.machine.stack.length, 2)
    })

    it('says that nothing moved when the motion itself was lost', async () => {
      const bench = await tamperedBench()
      bench.tamper.driver = once(isFeed, () => null)
      await assert.rejects(bench.dispenser.move('encoder'), fault('dispenser-offline', false))
      assert.equal(copies(bench, 'move-encoder'), 1)
      assert.equal(bench.machine.stack.length, 3)
    })

    it('does not know of a capture: a card pulled out leaves the path as empty', async () => {
      const bench = await tamperedBench()
      await bench.dispenser.move('encoder')
      deafTo(bench, isAbout(0x32, 0x33))
      await assert.rejects(bench.dispenser.move('capture'), fault('dispenser-timeout', true))
      assert.equal(bench.machine.bin.length, 1)
    })

    it('does not know of an ejection from the gate, where the card may lie before and after', async () => {
      const bench = await tamperedBench()
      await bench.dispenser.move('encoder')
      await bench.dispenser.move('front')
      bench.tamper.driver = once(isAbout(0x32, 0x39), () => null)
      await assert.rejects(bench.dispenser.move('eject'), fault('dispenser-timeout', true))
    })

    it('does not know when the machine has restarted meanwhile', async () => {
      const bench = await tamperedBench()
      bench.tamper.driver = once(isFeed, () => {
        bench.machine.initialised = false
        return null
      })
      await assert.rejects(bench.dispenser.move('encoder'), fault('dispenser-timeout', true))
    })
  })

  describe('when a command arrives damaged', { concurrency: true }, () => {
    const damage = (said: Uint8Array) => said.map((byte, at) => (at === 8 ? byte ^ 1 : byte))

    it('sends it again on NAK, even a motion, which was not carried out', async () => {
      const bench = await tamperedBench()
      bench.tamper.driver = once(isFeed, damage)
      assert.equal((await bench.dispenser.move('encoder')).card, 'encoder')
      assert.equal(copies(bench, 'move-encoder'), 2)
      assert.equal(bench.machine.stack.length, 2)
    })

    it('does not send a motion a third time when the NAK was said twice', async () => {
      const bench = await tamperedBench()
      await bench.dispenser.move('encoder')
      bench.tamper.driver = once(isAbout(0x32, 0x39), damage)
      bench.tamper.machine = once(isControl(0x15), () => Uint8Array.of(0x15, 0x15))
      assert.equal((await bench.dispenser.move('eject')).card, 'none')
      assert.equal(copies(bench, 'move-eject'), 2)
      assert.equal(bench.machine.stack.length, 2)
    })

    it('does not send a motion again on a line it cannot clear', async () => {
      const bench = await tamperedBench()
      let isBabbling = false
      const babble = bench.clock.setInterval(() => {
        if (isBabbling) bench.inject(Uint8Array.of(0xff, 0xf2))
      }, 50)
      bench.tamper.driver = once(isFeed, damage)
      bench.tamper.machine = once(isControl(0x15), (said) => {
        isBabbling = true
        return said
      })
      await assert.rejects(bench.dispenser.move('encoder'), fault('dispenser-offline', false))
      babble.cancel()
      assert.equal(copies(bench, 'move-encoder'), 1)
    })

    it('heeds no NAK once the command was confirmed', async () => {
      const bench = await tamperedBench()
      bench.tamper.machine = once(isAck, () => Uint8Array.of(0x06, 0x15))
      assert.equal((await bench.dispenser.status()).card, 'none')
      assert.equal(copies(bench, 'status'), 1)
    })

    it('gives up after three copies and knows that nothing moved', async () => {
      const bench = await tamperedBench()
      bench.tamper.driver = (said) => (isFeed(said) ? damage(said) : said)
      await assert.rejects(bench.dispenser.move('encoder'), fault('dispenser-offline', false))
      assert.equal(copies(bench, 'move-encoder'), 3)
      assert.equal(bench.machine.stack.length, 3)
    })

    it('sends it again when the machine says so with code 04', async () => {
      const bench = await tamperedBench()
      bench.machine.misbehaviours.push({ at: 'move-encoder', does: 'refuse', code: '04' })
      assert.equal((await bench.dispenser.move('encoder')).card, 'encoder')
      assert.equal(bench.machine.stack.length, 2)
    })
  })

  describe('when a reply arrives damaged', { concurrency: true }, () => {
    it('has it repeated and reads it right, whichever bit was flipped, without a second motion', async () => {
      const bench = await tamperedBench({ cards: 200 })
      const length = bytes(replyFrames['at the encoder']).length
      for (let bit = 0; bit < length * 8; bit++) {
        bench.tamper.machine = once(isFeed, (said) =>
          said.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte)),
        )
        assert.equal((await bench.dispenser.move('encoder')).card, 'encoder', `bit ${bit}`)
        bench.tamper.machine = (said) => said
        await bench.dispenser.move('eject')
      }
      assert.equal(copies(bench, 'move-encoder'), length * 8)
      assert.equal(bench.machine.taken.length, length * 8)
    })

    it('has it repeated when half of it is missing', async () => {
      const bench = await tamperedBench()
      bench.tamper.machine = once(isFeed, (said) => said.slice(0, 10))
      assert.equal((await bench.dispenser.move('encoder')).card, 'encoder')
      assert.ok(bench.sent.includes('nak'))
    })

    it('asks for it twice, then does not know what a motion did', async () => {
      const bench = await tamperedBench()
      bench.machine.misbehaviours.push({ at: 'move-encoder', does: 'garble' })
      await assert.rejects(bench.dispenser.move('encoder'), fault('dispenser-timeout', true))
      assert.equal(copies(bench, 'nak'), 2)
      assert.equal(copies(bench, 'move-encoder'), 1)
    })

    it('asks a question anew', async () => {
      const bench = await tamperedBench()
      bench.machine.misbehaviours.push({ at: 'status', does: 'garble' })
      assert.equal((await bench.dispenser.status()).card, 'none')
      assert.equal(copies(bench, 'status'), 2)
    })
  })

  describe('when an answer is late', { concurrency: true }, () => {
    it('asks a question anew after clearing the line', async () => {
      const bench = await tamperedBench()
      bench.machine.misbehaviours.push({ at: 'status', does: 'late' })
      assert.equal((await bench.dispenser.status()).card, 'none')
      assert.deepEqual(
        bench.sent.filter((each) => each !== 'ack'),
        ['status', 'eot', 'status'],
      )
    })

    it('takes the reply that crosses the abort', async () => {
      const bench = await tamperedBench()
      let held: Uint8Array | null = null
      bench.tamper.machine = (said) => {
        if (isFeed(said)) held = said
        if (!isFrame(said) && isEot(said) && held) bench.inject(held)
        return isFeed(said) ? null : said
      }
      assert.equal((await bench.dispenser.move('encoder')).card, 'encoder')
      assert.equal(bench.machine.stack.length, 2)
    })

    it('never takes it for the answer to a later question', async () => {
      const bench = await tamperedBench()
      let held: Uint8Array | undefined
      let eots = 0
      // The machine answers no EOT; what it had to say comes while the driver clears the line.
      bench.tamper.machine = (said) => {
        if (isStatus(said) && eots === 0) {
          held = said
          return null
        }
        return isEot(said) ? null : said
      }
      bench.tamper.driver = (said) => {
        if (isEot(said) && ++eots === 2 && held) bench.inject(held)
        return said
      }
      const asked = bench.dispenser.status()
      Object.assign(bench.machine, { card: bench.machine.stack.shift(), at: 'encoder' })
      assert.equal((await asked).card, 'encoder')
    })

    it('passes over a reply to another command, and clears the line of more such', async () => {
      const bench = await tamperedBench()
      bench.tamper.machine = once(isAck, (said) => {
        bench.inject(bytes(replyFrames['at the gate']))
        return said
      })
      assert.equal((await bench.dispenser.status()).card, 'none')
      assert.ok(!bench.sent.includes('eot'))
      assert.equal((await bench.dispenser.status()).card, 'none')
      assert.ok(bench.sent.includes('eot'))
    })

    it('passes over the reply of a machine with another address', async () => {
      const bench = await tamperedBench({ machine: { address: 3 } })
      bench.tamper.machine = once(isAck, (said) => {
        bench.inject(bytes(replyFrames['status 220']))
        return said
      })
      assert.equal((await bench.dispenser.status()).card, 'none')
    })

    it('passes over the echo of its own commands', async () => {
      const bench = await tamperedBench()
      bench.tamper.driver = (said) => {
        if (isFrame(said)) bench.inject(said)
        return said
      }
      assert.equal((await bench.dispenser.move('encoder')).card, 'encoder')
      assert.ok(!bench.sent.includes('nak'))
    })
  })

  describe('when the wire takes nothing for a while', { concurrency: true }, () => {
    it('piles up no copies, and sends no motion behind them', async () => {
      const bench = await tamperedBench()
      bench.jam(true)
      await assert.rejects(bench.dispenser.status(), fault('dispenser-offline', false))
      await assert.rejects(bench.dispenser.move('encoder'), fault('dispenser-offline', false))
      await assert.rejects(bench.dispenser.initialise('capture'), fault('dispenser-offline', false))
      bench.jam(false)
      assert.equal((await bench.dispenser.status()).card, 'none')
      assert.deepEqual(
        bench.sent.filter((each) => each !== 'ack'),
        ['status', 'eot', 'status'],
      )
    })

    it('does not know of a motion that was waiting to leave', async () => {
      const bench = await tamperedBench()
      bench.tamper.machine = once(isStatus, (said) => {
        bench.jam(true)
        return said
      })
      await assert.rejects(bench.dispenser.move('encoder'), fault('dispenser-timeout', true))
    })
  })

  describe('when there is noise', { concurrency: true }, () => {
    for (const noise of ['ff', 'f2', 'f2 00 ff ff', 'f2 00 02 06 50', 'f2 0f 00', '00 15 04']) {
      it(`reads past ${noise} before everything the machine says`, async () => {
        const bench = await tamperedBench()
        bench.tamper.machine = (said) => Uint8Array.of(...bytes(noise), ...said)
        assert.equal((await bench.dispenser.move('encoder')).card, 'encoder')
        assert.equal(copies(bench, 'move-encoder'), 1)
        assert.equal(bench.machine.stack.length, 2)
      })

      it(`lets the machine read past ${noise} before a question`, async () => {
        const bench = await tamperedBench()
        bench.tamper.driver = once(isStatus, (said) => Uint8Array.of(...bytes(noise), ...said))
        assert.equal((await bench.dispenser.status()).card, 'none')
      })
    }

    it('gives up on a line that is never quiet', async () => {
      const bench = await tamperedBench()
      bench.tamper.machine = () => null
      const babble = bench.clock.setInterval(() => bench.inject(Uint8Array.of(0xff, 0xf2)), 50)
      await assert.rejects(bench.dispenser.status(), fault('dispenser-offline', false))
      await assert.rejects(bench.dispenser.move('encoder'), fault('dispenser-offline', false))
      babble.cancel()
    })
  })

  describe('when reply and sensors disagree', { concurrency: true }, () => {
    it('looks again until the sensors show the position', async () => {
      const bench = await tamperedBench()
      bench.tamper.machine = once(isFeed, () => bytes('F2 00 00 06 50 32 32 30 32 30 03 95'))
      assert.equal((await bench.dispenser.move('encoder')).card, 'encoder')
    })

    it('does not call a card presented that the gate has not shown', async () => {
      const bench = await tamperedBench()
      await bench.dispenser.move('encoder')
      bench.tamper.machine = once(isAbout(0x32, 0x30), () => {
        take(bench.machine)
        return bytes('F2 00 00 06 50 32 30 30 32 30 03 97')
      })
      await assert.rejects(bench.dispenser.move('front'), fault('dispenser-timeout', true))
    })
  })
})
