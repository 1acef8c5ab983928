import { driver } from '../../src/devices/driver.ts'
import { crt571Antenna } from './antenna.ts'
import dispenser from './driver.ts'
import { antennaSuffix } from './protocol.ts'

/** The reader inside a dispenser of this family, used as an encoder on the dispenser's line. */
export default driver({
  name: `${dispenser.name}${antennaSuffix}`,
  models: dispenser.models.map((model) => `${model}${antennaSuffix}`),
  vendor: dispenser.vendor,
  capability: 'encoder',
  joins: dispenser.name,
  provenance: { known: 'vendor-manual', proven: ['simulator'], probing: 'radio' },
  cardFormats: ['Mifare1K', 'Mifare4K', 'MifareUltralight'],
  options: {
    type: 'object',
    additionalProperties: false,
    properties: { address: { type: 'integer', minimum: 0, maximum: 15, default: 0 } },
  },
  open: crt571Antenna,
})
