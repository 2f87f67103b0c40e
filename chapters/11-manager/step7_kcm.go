package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// kubeControllerManager is step 7: how an older program of many controllers starts.
func kubeControllerManager(ctx context.Context, l *lab.Lab) error {
	if err := itsLease(ctx, l); err != nil {
		return err
	}
	if err := itsLog(l); err != nil {
		return err
	}
	l.Table(
		[]string{"", "kube-controller-manager", "a manager"},
		[]string{"what serves", "first", "first"},
		[]string{"leader election", "before its informers", "after the cache, before controllers"},
		[]string{"informers", "made by factories, all at once", "made by the cache, when first asked"},
		[]string{"a controller waits for", "its own informers", "its own sources"},
		[]string{"at a lost Lease", "the process exits", "Start returns an error"},
	)
	l.Conclude("Both are one process with one Lease and shared informers. A manager starts its cache before the " +
		"election and fills it by need. kube-controller-manager serves, and does nothing else before it is elected.")
	return nil
}

// itsLease shows who has the Lease of kube-controller-manager, if anybody.
func itsLease(ctx context.Context, l *lab.Lab) error {
	const path = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-controller-manager"
	request, err := lab.NewRequest(ctx, http.MethodGet, l.Server.String()+path, nil)
	if err != nil {
		return err
	}
	response, err := l.Aloud(l.HTTPClient()).Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		return err
	}
	l.Wire("%d %s", response.StatusCode, http.StatusText(response.StatusCode))
	if response.StatusCode == http.StatusNotFound {
		l.Became("it runs with --leader-elect=false here: there is one of it, and it is never replaced")
	} else {
		l.Became("somebody has it, and renews it every two seconds")
	}
	return nil
}

// said is what is looked for in the log, in the order in which it is first said.
var said = []struct {
	line *regexp.Regexp
	what string
}{
	{regexp.MustCompile(`"Starting" version=`), "it starts"},
	{regexp.MustCompile(`"Warning: (controller is disabled|skipping controller)"`), "it makes its controllers, and skips the disabled ones"},
	{regexp.MustCompile(`"Starting [a-z ]*controller"`), "a controller starts"},
	{regexp.MustCompile(`"Waiting for caches to sync"`), "a controller waits for its informers"},
	{regexp.MustCompile(`"Caches are synced"`), "and has them"},
}

// itsLog shows what kube-controller-manager logged at its start.
func itsLog(l *lab.Lab) error {
	if l.Instance == nil {
		l.Say("Its log is not to be had from here: of this cluster the demo knows the API server alone.")
		return nil
	}
	file, err := os.Open(filepath.Join(l.Instance.Dir, "kube-controller-manager.log"))
	if errors.Is(err, os.ErrNotExist) {
		l.Say("Its log is not to be had: this control plane was started with another one's programs.")
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	found, times := make([]int, len(said)), make([]time.Duration, len(said))
	var begin time.Time
	for lines := bufio.NewScanner(file); lines.Scan(); {
		at, ok := loggedAt(lines.Text())
		if !ok {
			continue
		}
		if begin.IsZero() {
			begin = at
		}
		for i, s := range said {
			if s.line.MatchString(lines.Text()) {
				if found[i]++; found[i] == 1 {
					times[i] = at.Sub(begin)
				}
			}
		}
	}
	rows := [][]string{{"first said after", "in the log", "lines like it"}}
	for i, s := range said {
		rows = append(rows, []string{times[i].Round(time.Millisecond).String(), s.what, fmt.Sprint(found[i])})
	}
	l.Table(rows...)
	return nil
}

var header = regexp.MustCompile(`^[IWE]\d{4} (\d\d:\d\d:\d\d\.\d{6}) `)

// loggedAt reads the time of a line of klog's.
func loggedAt(line string) (time.Time, bool) {
	m := header.FindStringSubmatch(line)
	if m == nil {
		return time.Time{}, false
	}
	at, err := time.Parse("15:04:05.000000", m[1])
	return at, err == nil
}
