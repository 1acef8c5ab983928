import { driver } from '../../src/devices/driver.ts'
import { ifd510 } from './device.ts'
import { mask } from './mask.ts'

export default driver({
  name: 'ifd510',
  models: [],
  vendor: 'SYC ID&IC',
  capability: 'encoder',
  provenance: { known: 'vendor-manual', proven: ['simulator'], probing: 'radio' },
  cardFormats: ['Mifare1K', 'Mifare4K', 'MifareUltralight'],
  hid: { vendorId: 'FFFF', productId: '0035' },
  options: { type: 'object', properties: {}, additionalProperties: false },
  mask,
  open: ifd510,
})
