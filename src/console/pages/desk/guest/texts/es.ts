import { en, type GuestTexts } from './en.ts'
export const es: GuestTexts = en
