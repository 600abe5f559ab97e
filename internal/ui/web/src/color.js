// Colors by their names: what is drawn on a canvas does not follow a style sheet.

// color is a color of the theme.
export const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

// clear is a color that lets through what is below it, but for a share.
export function clear(text, share) {
  const full = text.length === 4 ? text.replace(/[0-9a-f]/g, "$&$&") : text;
  return full + Math.round(share * 255).toString(16).padStart(2, "0");
}
