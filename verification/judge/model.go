package main

import (
	"fmt"
	"math"
	"sort"
	"time"

	"github.com/anishathalye/porcupine"
)

// How long Porcupine may think about one history.
const patience = 5 * time.Minute

// For so long after a loss, a process that has not heard of it may pass on within itself what it held.
const handOver = int64(250 * time.Millisecond)

// When a section ends: judged by its lease, or by when it was last told that it holds the lock.
type criterion int

const (
	byLease criterion = iota
	byTold
)

// What the model is told of a section.
type claim struct {
	number  int
	entered int64
	// Since when its process may have what it holds.
	since int64
	// Granted long before it was entered, to a process that stood still: its lease says nothing.
	late bool
}

type action struct {
	begins bool
	claim  claim
}

// level says how bad a history is: clean; redis, if two sections are in at once and a loss explains it; or broken.
func (h *history) level(c criterion) (string, error) {
	for _, attempt := range []struct {
		losses []window
		level  string
	}{{nil, "clean"}, {h.losses, "redis"}} {
		switch porcupine.CheckOperationsTimeout(model(attempt.losses), h.operations(c), patience) {
		case porcupine.Ok:
			return attempt.level, nil
		case porcupine.Unknown:
			return "", fmt.Errorf("Porcupine did not come to an end within %v", patience)
		}
	}
	return "broken", nil
}

func (h *history) operations(c criterion) []porcupine.Operation {
	var operations []porcupine.Operation
	for client, s := range h.sections {
		claim := claim{s.number, s.entered, h.heldSince(s), c == byLease && h.isGrantedLongAgo(s)}
		end := s.told
		if c == byLease {
			end = min(s.endOfUse, s.lease)
		}
		end = max(end, s.entered)
		// An acquisition may as well take effect when it returns: earlier, its section would only be longer. That spares Porcupine the
		// other moments, of which there are too many where eight callers wait.
		operations = append(operations,
			porcupine.Operation{ClientId: client, Input: action{true, claim}, Call: s.entered, Return: s.entered},
			porcupine.Operation{ClientId: client, Input: action{false, claim}, Call: end, Return: max(end, s.released)})
	}
	return operations
}

// model is a lock that one section holds at a time. With losses, two sections may be in at once if a loss explains it.
func model(losses []window) porcupine.Model {
	return porcupine.Model{
		Init: func() interface{} { return []claim(nil) },
		Step: func(state, input, _ interface{}) (bool, interface{}) {
			in, a := state.([]claim), input.(action)
			next := make([]claim, 0, len(in)+1)
			for _, other := range in {
				if a.begins && !mayBeInTogether(other, a.claim, losses) {
					return false, state
				}
				if a.begins || other.number != a.claim.number {
					next = append(next, other)
				}
			}
			if a.begins {
				next = append(next, a.claim)
				sort.Slice(next, func(i, j int) bool { return next[i].number < next[j].number })
			}
			return true, next
		},
		Equal: func(one, other interface{}) bool { return fmt.Sprint(one) == fmt.Sprint(other) },
	}
}

func mayBeInTogether(one, other claim, losses []window) bool {
	second := one
	if other.entered > one.entered || other.entered == one.entered && other.number > one.number {
		second = other
	}
	if second.late {
		return true
	}
	for _, loss := range losses {
		if loss.from <= second.entered && loss.to >= min(one.since, other.since) {
			return true
		}
	}
	return false
}

// heldSince is when a section's process got what it holds. Shortly after a loss, that may have been passed on from one that was in
// when the lock got lost to one that waited in the same process.
func (h *history) heldSince(s *section) int64 {
	since := int64(math.MaxInt64)
	for _, loss := range h.losses {
		if loss.to > s.entered || s.entered > loss.to+handOver {
			continue
		}
		for _, earlier := range h.sections {
			if earlier.process == s.process && s.called < earlier.endOfUse && earlier.endOfUse <= s.entered {
				if its := h.heldSince(earlier); its <= loss.to {
					since = min(since, its)
				}
			}
		}
	}
	if since == math.MaxInt64 {
		return s.entered
	}
	return since
}

func (h *history) isGrantedLongAgo(s *section) bool {
	for _, stall := range h.stalls {
		if stall.process == s.process && stall.from < s.entered && s.called < stall.to {
			return true
		}
	}
	return false
}

func min(a, b int64) int64 {
	if a < b {
		return a
	}
	return b
}

func max(a, b int64) int64 {
	if a > b {
		return a
	}
	return b
}
