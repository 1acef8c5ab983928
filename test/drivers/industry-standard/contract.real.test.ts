import { contractOver } from './contract.ts'
import { serial } from './serial-line.ts'

contractOver(serial)
