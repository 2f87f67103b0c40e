package faultserver

import (
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// processes finds out which process sent a request, so that what one kubectl does is not taken for what the next one
// does: each request has a connection of its own, and two processes of a program have the same user agent. Linux tells
// it of the user's own processes on this machine, under /proc; elsewhere none is found.
type processes struct {
	proc string // "/proc", or a test's folder

	mu    sync.Mutex // guards what follows
	known []int      // those found last, which are looked at first
}

// remembered is how many processes are looked at before all others.
const remembered = 8

// of is the process that sent a request, 0 where nobody can tell.
func (p *processes) of(r *http.Request) int {
	to, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return 0
	}
	socket := p.socket(r.RemoteAddr, to.String())
	if socket == "" {
		return 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, process := range p.known {
		if p.has(process, socket) {
			p.remember(process, i)
			return process
		}
	}
	entries, err := os.ReadDir(p.proc)
	if err != nil {
		return 0
	}
	for _, e := range entries {
		process, err := strconv.Atoi(e.Name())
		if err == nil && !slices.Contains(p.known, process) && p.has(process, socket) {
			p.remember(process, len(p.known))
			return process
		}
	}
	return 0
}

// remember puts a process in front of the known ones, where it stands at i, or is new.
func (p *processes) remember(process, i int) {
	if i < len(p.known) {
		p.known = slices.Delete(p.known, i, i+1)
	}
	p.known = slices.Insert(p.known, 0, process)
	p.known = p.known[:min(len(p.known), remembered)]
}

// socket is how Linux calls the client's end of a connection: "socket:[4711]", or nothing where there is none such.
func (p *processes) socket(from, to string) string {
	ours, theirs := portOf(to), portOf(from)
	if ours == "" || theirs == "" {
		return ""
	}
	for _, table := range []string{"tcp", "tcp6"} { // a Java program has 127.0.0.1 in the second
		content, err := os.ReadFile(filepath.Join(p.proc, "net", table))
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(content)) {
			const local, remote, inode = 1, 2, 9
			columns := strings.Fields(line)
			if len(columns) > inode && columns[inode] != "0" && // the process has closed it
				strings.HasSuffix(columns[local], ":"+theirs) && strings.HasSuffix(columns[remote], ":"+ours) {
				return "socket:[" + columns[inode] + "]"
			}
		}
	}
	return ""
}

// portOf is the port of an address in the form of those tables, "1F90" for 8080.
func portOf(address string) string {
	_, text, err := net.SplitHostPort(address)
	if err != nil {
		return ""
	}
	port, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return ""
	}
	return strings.ToUpper(strconv.FormatUint(0x10000|port, 16)[1:])
}

// has says whether a process has a socket. Those of other users can't be looked at.
func (p *processes) has(process int, socket string) bool {
	folder := filepath.Join(p.proc, strconv.Itoa(process), "fd")
	open, err := os.ReadDir(folder)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(open, func(e os.DirEntry) bool {
		target, err := os.Readlink(filepath.Join(folder, e.Name()))
		return err == nil && target == socket
	})
}
