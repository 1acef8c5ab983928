import { reader, simulatedReports } from '../../drivers/ifd510/simulator/simulator.ts'
import { answerRequests, type DeviceInProcess } from '../../src/devices/hid/hid-requests.ts'
import { systemClock } from '../../src/host/clock.ts'
import { classicCard } from '../../src/simulators/devices/simulated-card.ts'

/** Runs where node-hid would: a reader with a card, whose serial number says what it does when it is to write a block. */

const writeBlock = 0x21
const never = new Promise<never>(() => {})

function hang(): never {
  for (;;);
}

const onWrite: Record<string, () => Promise<void> | void> = {
  crashes: () => void process.kill(process.pid, 'SIGSEGV'),
  ends: () => process.exit(3),
  waits: () => never,
  hangs: hang,
}

answerRequests(({ serialNumber = '' }): DeviceInProcess => {
  if (serialNumber === 'crashes-at-opening') process.kill(process.pid, 'SIGSEGV')
  if (serialNumber === 'missing') throw new Error('it is not there')
  const cards = [classicCard(Uint8Array.of(0x66, 0xcf, 0x4d, 0xc2))]
  const { set, get } = simulatedReports(
    reader({ clock: systemClock, antenna: { cards: () => cards } }),
    () => {},
  )
  return {
    path: 'none',
    async set(report) {
      if (report[11] === writeBlock) await onWrite[serialNumber]?.()
      await set(report)
    },
    get,
    close() {
      if (serialNumber === 'hangs-at-closing') hang()
    },
  }
})
