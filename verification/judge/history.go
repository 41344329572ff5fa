package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"sort"
)

// A line of a history. Times are nanoseconds.
type line struct {
	Section int
	Process int
	Thread  string
	Op      string
	Invoke  int64
	Return  *int64
	Result  string
	Lease   *int64
	At      int64
}

// A section of code that a lock was to protect, from when it was acquired.
type section struct {
	number   int
	process  int
	called   int64
	entered  int64
	lease    int64
	told     int64
	endOfUse int64
	released int64
}

// A time in which something happened to a process, or to the servers.
type window struct {
	process  int
	from, to int64
}

type history struct {
	sections []*section
	losses   []window
	stalls   []window
}

func read(file string) (*history, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	h := &history{}
	byNumber := map[int]*section{}
	scanner := bufio.NewScanner(in)
	for scanner.Scan() {
		l := line{}
		if err := json.Unmarshal(scanner.Bytes(), &l); err != nil {
			return nil, err
		}
		s := byNumber[l.Section]
		switch l.Op {
		case "acquire":
			if l.Result == "ok" {
				s = &section{number: l.Section, process: l.Process, called: l.Invoke, entered: *l.Return,
					told: *l.Return, endOfUse: math.MaxInt64, released: math.MaxInt64}
				if l.Lease != nil {
					s.lease = *l.Lease
				}
				byNumber[l.Section] = s
				h.sections = append(h.sections, s)
			}
		case "told":
			s.told = l.At
		case "lost", "died":
			// A caller that waits may die, too.
			if s != nil && s.endOfUse == math.MaxInt64 {
				s.endOfUse = l.At
			}
		case "release":
			if s.endOfUse == math.MaxInt64 {
				s.endOfUse = l.Invoke
			}
			if l.Return != nil {
				s.released = *l.Return
			}
		case "loss":
			h.losses = append(h.losses, window{-1, l.Invoke, *l.Return})
		case "stall":
			h.stalls = append(h.stalls, window{l.Process, l.Invoke, *l.Return})
		case "outage":
		default:
			return nil, fmt.Errorf("unknown operation %q", l.Op)
		}
	}
	sort.SliceStable(h.sections, func(i, j int) bool { return h.sections[i].entered < h.sections[j].entered })
	return h, scanner.Err()
}
