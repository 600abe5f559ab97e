// Package browser tests the pages in a real Chromium: what a person sees, with the
// mouse and with the keyboard, in both themes and in every width, and that nothing
// goes wrong unseen. Its tests need the tag browser; `make test-browser` runs them.
package browser
