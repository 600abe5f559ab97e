// Package config is the configuration file of the controller: its form, its
// defaults, and how it is read again while the controller runs.
//
// The file is read strictly. A field that nobody knows, or a value that cannot
// work, is refused with its path and its line, before anything is started.
package config
