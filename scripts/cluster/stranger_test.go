package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
)

// nobody is the user and the group that the stranger is.
const nobody = 65534

// target is what a stranger tries to get at.
type target struct {
	Files     []string // files, folders and sockets
	Processes []int
}

// stranger is another user of this machine. It reads a target from its standard input, tries everything, and says a
// line for each thing that it could do.
func stranger() {
	var aim target
	if err := json.NewDecoder(os.Stdin).Decode(&aim); err != nil {
		fmt.Println("cannot read what to try:", err)
		os.Exit(1)
	}
	for _, path := range aim.Files {
		tryFile(path)
	}
	for _, pid := range aim.Processes {
		tryProcess(pid)
	}
	os.Exit(0)
}

func tryFile(path string) {
	for flag, what := range map[int]string{os.O_RDONLY: "open", os.O_WRONLY: "write to"} {
		if f, err := os.OpenFile(path, flag, 0); err == nil {
			fmt.Println("could", what, path)
			f.Close()
		}
	}
	if conn, err := net.Dial("unix", path); err == nil {
		fmt.Println("could connect to", path)
		conn.Close()
	}
	// Two that change something when they succeed, so not for one who may.
	if os.Getuid() != nobody {
		return
	}
	if f, err := os.Create(filepath.Join(path, "planted")); err == nil {
		fmt.Println("could make a file in", path)
		f.Close()
	}
	if err := os.Rename(path, path+".away"); err == nil {
		fmt.Println("could take away", path)
	}
}

func tryProcess(pid int) {
	if err := syscall.Kill(pid, 0); err == nil {
		fmt.Println("could send a signal to process", pid)
	}
	for _, name := range []string{"environ", "mem", "maps", "stack", "cwd/etcd.log", "root/etc/passwd"} {
		f, err := os.Open(fmt.Sprintf("/proc/%d/%s", pid, name))
		if err != nil {
			continue
		}
		if n, err := f.Read(make([]byte, 1)); n > 0 || err == nil || errors.Is(err, io.EOF) {
			fmt.Println("could read", name, "of process", pid)
		}
		f.Close()
	}
}

// strangersAreKeptOut has another user try every file, socket and process of a control plane. Only the folder of the
// run directories stands in the way: the folders that lead there are open.
func strangersAreKeptOut(t *testing.T, m *machine, up *plane.Plane) {
	if runtime.GOOS != "linux" || os.Getuid() != 0 {
		t.Skip("this machine lacks a second user to be: that needs Linux and root")
	}
	for _, dir := range []string{scratch, m.dir} {
		require.NoError(t, os.Chmod(dir, 0o755))
		defer os.Chmod(dir, 0o700)
	}
	running, err := plane.ProcessesNaming(up.Dir)
	require.NoError(t, err)
	aim := target{Files: private(t, up)}
	for _, p := range running {
		aim.Processes = append(aim.Processes, p.PID)
	}
	require.Greater(t, len(aim.Files), 20, "certificates, kubeconfigs, logs, sockets, a database: %v", aim.Files)

	assert.Empty(t, m.try(t, aim, nobody))
	open := m.try(t, aim, os.Getuid())
	for _, path := range []string{"e.sock", "p.sock", "ctl"} {
		assert.Contains(t, open, "could connect to "+filepath.Join(up.Dir, path),
			"the same attempts succeed for their owner")
	}
	assert.Contains(t, open, "could open "+up.Kubeconfig)
	assert.Contains(t, open, "could send a signal to process")
}

// try starts the stranger as a user, and returns what it could do.
func (m *machine) try(t *testing.T, aim target, user int) string {
	t.Helper()
	// The test's own binary lies in a folder that others may not enter.
	program := filepath.Join(m.dir, "stranger")
	if _, err := os.Stat(program); errors.Is(err, fs.ErrNotExist) {
		self, err := os.ReadFile(os.Args[0])
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(program, self, 0o755))
	}
	input, err := json.Marshal(aim)
	require.NoError(t, err)
	cmd := exec.Command(program)
	cmd.Dir, cmd.Stdin = "/", bytes.NewReader(input)
	cmd.Env = []string{roleEnv + "=stranger", "GORACE=atexit_sleep_ms=0"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(user), Gid: uint32(user)}}
	said, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", said)
	return string(said)
}
