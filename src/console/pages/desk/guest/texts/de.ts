import { en, type GuestTexts } from './en.ts'
export const de: GuestTexts = en
