// Package chromium drives a browser, for tests of pages. All of it needs the build tag
// browser or e2e.
package chromium
