// Package changes changes objects as whoever asks: with their own credentials, and
// never as anyone else. It changes what a person confirmed: an object that has become
// another since is left alone.
package changes
