import { contractOver } from './contract.ts'

contractOver('tcp')
