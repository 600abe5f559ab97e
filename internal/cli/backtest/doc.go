// Package backtest is the verb that replays several policies over one recorded
// demand and compares them.
package backtest
