import { contractOver } from './contract.ts'

contractOver('serial')
