package grader

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// ownVariables are what the grader decides itself about its go commands. Flags of the person who grades would build
// something else: -cover, the file on disk instead of the one that is laid over it. Another module's workspace would
// hide this one. And nothing is downloaded: a build that dials out would do it because of somebody's submission.
var ownVariables = map[string]string{
	"GOENV": "off", "GOFLAGS": "", "GOWORK": "off", "GOPROXY": "off", "GO111MODULE": "", "GOOS": "", "GOARCH": "",
	"GOEXPERIMENT": "", "GODEBUG": "",
}

// keptVariables say where the modules and the compiled packages are and which tools there are, also if that was said
// with go env -w.
var keptVariables = []string{"GOMODCACHE", "GOCACHE", "GOTOOLCHAIN", "CGO_ENABLED", "CC", "CXX"}

// goEnvironment is the environment of the grader's go commands.
func goEnvironment(ctx context.Context) ([]string, error) {
	var out []string
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if _, own := ownVariables[name]; !own {
			out = append(out, variable)
		}
	}
	cmd := exec.CommandContext(ctx, "go", append([]string{"env", "-json"}, keptVariables...)...)
	cmd.Env = append(out, "GOFLAGS=", "GOWORK=off", "GOOS="+runtime.GOOS, "GOARCH="+runtime.GOARCH)
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	var kept map[string]string
	if err := json.Unmarshal(text, &kept); err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	for _, values := range []map[string]string{ownVariables, kept} {
		for _, name := range sortedKeys(values) {
			out = append(out, name+"="+values[name])
		}
	}
	return out, nil
}

// missingModule is in what the go command says of a module that is not in the module cache.
const missingModule = "module lookup disabled by GOPROXY=off"

// stubError is about a build that fails although exercise.go is the stub, or whatever it is.
func stubError(out string) error {
	out = strings.TrimSpace(out)
	if strings.Contains(out, missingModule) {
		return fmt.Errorf("a module that the tests need is not on this machine, and grading downloads nothing: "+
			"run go mod download in the course's folder, then grade again\n%s", out)
	}
	return fmt.Errorf("the tests do not compile with the stub, so it is no fault of exercise.go:\n%s", out)
}
