import { contractOver } from './contract.ts'
import { tcp } from './house.ts'

contractOver(tcp)
