package grader

import (
	"context"
	"os"
	"path/filepath"
	"time"
)

// Poll is how often [Watch] looks at the files. It compares modification times, sizes and identities, which works on
// every mount, and for an editor that replaces the file.
var Poll = 200 * time.Millisecond

// stamp tells one state of a file from another.
type stamp struct {
	info    os.FileInfo
	missing bool
}

func stampOf(path string) stamp {
	info, err := os.Lstat(path)
	return stamp{info, err != nil}
}

func (s stamp) same(o stamp) bool {
	if s.missing || o.missing {
		return s.missing == o.missing
	}
	return s.info.ModTime().Equal(o.info.ModTime()) && s.info.Size() == o.info.Size() && os.SameFile(s.info, o.info)
}

// Watch grades each exercise that has been attempted, and again whenever its exercise.go changes, until the context
// ends. A file that changes while it is graded is graded anew; the old verdict is not reported.
func Watch(ctx context.Context, exercises []Exercise, o Options, done func(Result)) error {
	dir := o.From
	stamps := make([]stamp, len(exercises))
	dirty := make([]bool, len(exercises))
	gone := make([]int, len(exercises)) // polls at which the file was not there
	for i := range exercises {
		stamps[i] = stampOf(exercises[i].watched(dir))
		dirty[i] = true
	}
	type graded struct {
		index  int
		result Result
	}
	verdicts := make(chan graded)
	warmCtx, stopWarming := context.WithCancel(ctx)
	warmed := make(chan struct{})
	go func() {
		defer close(warmed)
		warm(warmCtx, exercises, o)
	}()
	defer func() { stopWarming(); <-warmed }()
	running, cancel := -1, func() {}
	defer func() { cancel() }()
	tick := time.NewTicker(Poll)
	defer tick.Stop()
	for {
		if running < 0 {
			for i := range dirty {
				if dirty[i] {
					dirty[i], running = false, i
					runCtx, stop := context.WithCancel(ctx)
					cancel = stop
					go func() {
						verdicts <- graded{i, GradeOne(runCtx, exercises[i], o)}
					}()
					break
				}
			}
		}
		select {
		case <-ctx.Done():
			cancel()
			if running >= 0 {
				<-verdicts
			}
			return nil
		case v := <-verdicts:
			cancel()
			running = -1
			if !dirty[v.index] {
				done(v.result)
			}
		case <-tick.C:
			for i := range exercises {
				now := stampOf(exercises[i].watched(dir))
				if now.same(stamps[i]) {
					gone[i] = 0
					continue
				}
				if now.missing && gone[i] < 2 {
					gone[i]++ // an editor that replaces the file may be at it
					continue
				}
				stamps[i], dirty[i] = now, true
				if running == i {
					cancel()
				}
			}
		}
	}
}

// warm compiles what the tests need besides exercise.go, so that the first save gets its verdict as fast as the
// second. What goes wrong here is said when the exercise is graded.
func warm(ctx context.Context, exercises []Exercise, o Options) {
	for _, e := range exercises {
		if ctx.Err() != nil {
			return
		}
		scratch, err := os.MkdirTemp("", "grade-")
		if err != nil {
			return
		}
		_ = variant{exercise: e, race: o.Race, scratch: scratch}.warm(ctx)
		removeAll(scratch)
	}
}

// watched is the file that counts: the one that exists, or the first place where it could be.
func (e Exercise) watched(from string) string {
	if from == "" {
		return filepath.Join(e.Dir(), "exercise.go")
	}
	for _, name := range e.Layouts() {
		path := filepath.Join(from, name)
		if _, err := os.Lstat(path); err == nil {
			return path
		}
	}
	return filepath.Join(from, e.Layouts()[0])
}
