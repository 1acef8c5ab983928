import { wireContract } from '../encoder-wires.ts'
import { modes } from './modes.ts'

for (const { name, machine, open } of modes) wireContract(name, machine, open)
