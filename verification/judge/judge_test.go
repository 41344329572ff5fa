package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// What Porcupine must say, by the lease and by what was told, is in each file's name. The rack's own judge and Lincheck are asked about
// the same histories by JudgesAgreeTest.
func TestHandMadeHistories(t *testing.T) {
	files, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal("no histories", err)
	}
	for _, file := range files {
		words := strings.Split(filepath.Base(file), "-")
		lease, told, err := judge(file)
		if err != nil {
			t.Fatal(file, err)
		}
		if lease != words[0] || told != words[1] {
			t.Errorf("%s: by the lease %s, by what was told %s", file, lease, told)
		}
	}
}
