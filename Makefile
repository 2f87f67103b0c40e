# Each target is one call of a Go program, so everything also works without make: `make -n grade CH=05`
# prints the call. `make` alone lists the targets; variables that a target does not name here, such as
# CLUSTER and KUBEBUILDER_ASSETS, reach the program through the environment.

.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

.PHONY: help doctor up down status test grade hint reset symptom verify-exercises wrong check record pins bench
.PHONY: faults kind-up kind-down test-authors test-kind bundle bundle-unpack new-chapter upstream-tests

help:
	@go run ./scripts/help

# For learners

grading = $(strip $(if $(WATCH),-watch) $(if $(STRICT),-strict) $(if $(STAGES),-stages $(STAGES)) $(if $(FROM),-from '$(FROM)') \
	$(if $(EACH),-each) $(if $(JSON),-json '$(JSON)') $(if $(JUNIT),-junit '$(JUNIT)'))

grade:
	@go run ./scripts/grade $(grading) $(or $(EX),$(CH))

hint:
	@go run ./scripts/hint $(if $(STAGE),-stage $(STAGE)) $(if $(LEVEL),-level $(LEVEL)) $(EX)

reset:
	@go run ./scripts/reset $(EX)

symptom:
	@go run ./scripts/symptom $(if $(FILE),'$(FILE)')

doctor:
	@go run ./scripts/doctor

# The cluster

up:
	@go run ./scripts/cluster up $(if $(PORT),-port '$(PORT)')

down:
	@go run ./scripts/cluster down

status:
	@go run ./scripts/cluster status

faulty = $(strip $(if $(SCRIPT),-script '$(SCRIPT)') $(if $(SEED),-seed '$(SEED)') \
	$(if $(RESOURCE),-resource '$(RESOURCE)') $(if $(PORT),-port '$(PORT)') $(if $(FILE),-kubeconfig '$(FILE)') \
	$(if $(FOR),-for '$(FOR)') $(if $(VERBOSE),-v))

faults:
	@go run ./scripts/faults $(faulty)

kind-up:
	@go run ./scripts/kind up

kind-down:
	@go run ./scripts/kind down

# For courses and workshops

bundle:
	@go run ./scripts/bundle pack

bundle-unpack:
	@go run ./scripts/bundle unpack $(if $(FILE),'$(FILE)')

# For authors

testing = $(strip $(if $(RUN),-run '$(RUN)') $(if $(COUNT),-count $(COUNT)) $(if $(AGAIN),-again) $(if $(UPDATE),-update))

test:
	@go run ./scripts/test $(testing) $(CH)

test-authors:
	@go run ./scripts/test -authors $(testing)

test-kind:
	@go run ./scripts/test-kind $(testing) $(CH)

verify-exercises:
	@go run ./scripts/verify-exercises $(if $(COUNT),-count $(COUNT)) $(if $(AGAIN),-again) \
		$(if $(SAMPLE),-sample $(SAMPLE)) $(if $(RECORD),-record) $(or $(EX),$(CH))

wrong:
	@go run ./scripts/wrong -file '$(FILE)' -name '$(NAME)' $(if $(FORCE),-force) $(EX)

upstream-tests:
	@go run ./scripts/upstream-tests $(if $(RUN),-run '$(RUN)') $(if $(RACE),-race) $(if $(AGAIN),-again) \
		$(if $(PROVE),-prove) $(MECHANISM)

check:
	@go run ./scripts/check $(if $(FIX),-fix) $(if $(QUICK),-quick)

record:
	@go run ./scripts/record $(CH)

pins:
	@go run ./scripts/pins

bench:
	@go run ./scripts/bench $(if $(UPDATE),-update) $(if $(COUNT),-count $(COUNT)) $(CH)

new-chapter:
	@go run ./scripts/new-chapter $(if $(EX),-exercise '$(EX)') $(NAME)
