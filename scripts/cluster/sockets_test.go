package main

import (
	"encoding/hex"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
)

// sockets are the doors of a control plane: what its processes listen on.
type sockets struct {
	ports []netip.AddrPort
	files []string // unix sockets
}

// doors looks at every socket of every process of a control plane. It fails the test on one that is neither a port of
// this machine's loopback interface nor a file of the run directory.
func doors(t *testing.T, up *plane.Plane) sockets {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("this machine lacks /proc, where the sockets of a process are read")
	}
	all, err := plane.ProcessesNaming(up.Dir)
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(all), 7, "the supervisor, three leashes and three servers")
	var found sockets
	for _, p := range all {
		held := socketsOf(t, p.PID)
		for _, table := range []string{"tcp", "tcp6"} {
			for _, row := range procNet(t, p.PID, table) {
				if len(row) > 9 && row[3] == "0A" && slices.Contains(held, row[9]) { // 0A is LISTEN
					found.ports = append(found.ports, procAddress(t, row[1]))
				}
			}
		}
		for _, table := range []string{"udp", "udp6", "udplite", "udplite6", "raw", "raw6", "packet"} {
			for _, row := range procNet(t, p.PID, table) {
				for _, inode := range held {
					assert.NotContains(t, row, inode, "%s has a socket in /proc/net/%s", p.Command, table)
				}
			}
		}
		for _, row := range procNet(t, p.PID, "unix") {
			if len(row) < 8 || !slices.Contains(held, row[6]) {
				continue // one of another process, or one without a name: the far end of a connection
			}
			name := fileOf(t, p.PID, row[7])
			assert.Equal(t, up.Dir, filepath.Dir(name), "%s has the unix socket %s", p.Command, name)
			if !slices.Contains(found.files, name) {
				found.files = append(found.files, name)
			}
		}
	}
	slices.Sort(found.files)
	return found
}

// fileOf returns the whole path of a unix socket's name. One that begins with @ is no file: whoever knows it can
// connect.
func fileOf(t *testing.T, pid int, name string) string {
	t.Helper()
	if strings.HasPrefix(name, "@") || filepath.IsAbs(name) {
		return name
	}
	folder, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid))
	require.NoError(t, err)
	return filepath.Join(folder, name)
}

// socketsOf returns the inodes of a process's sockets.
func socketsOf(t *testing.T, pid int) (inodes []string) {
	t.Helper()
	descriptors, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	require.NoError(t, err)
	for _, fd := range descriptors {
		target, _ := os.Readlink(fd)
		if inode, ok := strings.CutPrefix(target, "socket:["); ok {
			inodes = append(inodes, strings.TrimSuffix(inode, "]"))
		}
	}
	return inodes
}

// procNet returns the rows of a table of sockets, in fields; none where the kernel has no such table.
func procNet(t *testing.T, pid int, table string) (rows [][]string) {
	t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/net/%s", pid, table))
	if os.IsNotExist(err) && table != "tcp" && table != "unix" {
		return nil
	}
	require.NoError(t, err)
	for line := range strings.Lines(string(data)) {
		rows = append(rows, strings.Fields(line))
	}
	return rows
}

// procAddress reads an address as /proc/net/tcp writes it: hexadecimal, in words of the machine's byte order.
func procAddress(t *testing.T, text string) netip.AddrPort {
	t.Helper()
	host, port, _ := strings.Cut(text, ":")
	b, err := hex.DecodeString(host)
	require.NoError(t, err)
	for word := range slices.Chunk(b, 4) {
		slices.Reverse(word)
	}
	ip, ok := netip.AddrFromSlice(b)
	require.True(t, ok)
	n, err := strconv.ParseUint(port, 16, 16)
	require.NoError(t, err)
	return netip.AddrPortFrom(ip.Unmap(), uint16(n))
}
