/** Two tones that ask for attention, as loud as 0 to 1. A browser plays none before a person has used the page. */
export function chime(loudness: number): void {
  if (!navigator.userActivation.hasBeenActive) return
  const context = new AudioContext()
  for (const [index, hertz] of [660, 880].entries()) {
    const tone = context.createOscillator()
    const volume = context.createGain()
    tone.frequency.value = hertz
    volume.gain.value = loudness
    tone.connect(volume).connect(context.destination)
    tone.start(context.currentTime + index * 0.25)
    tone.stop(context.currentTime + index * 0.25 + 0.2)
    if (index === 1) tone.addEventListener('ended', () => void context.close())
  }
}
