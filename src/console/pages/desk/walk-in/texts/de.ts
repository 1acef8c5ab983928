import { en, type WalkInTexts } from './en.ts'
export const de: WalkInTexts = en
