// Package egress decides which addresses may be called on behalf of a user of the
// cluster, and calls no others.
//
// A user names the address, the administrator the hosts and ports that are
// allowed. Host puts both into one form, so that an address has one name however
// it is written, and what is counted by it is one of a few. Dialer resolves a
// name once, looks at every address that it has, and connects to one of those
// that it looked at: a name that changes its mind in between leads nowhere.
package egress
